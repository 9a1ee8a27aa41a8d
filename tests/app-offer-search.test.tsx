import {expect, onTestFinished, test, vi} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {Site} from '#contract/management.ts'
import {offerSearch, offerSearches} from '#app/commands/offer-search.ts'
import {offered} from '#browser/commands.ts'
import {selectIsSignedIn} from '#machines/auth/auth.selectors.ts'
import {siteMachine} from '#machines/site/site.machine.ts'
import {settled, start} from './machines/conversation-list-fixture.ts'
import {createBackend, createWorld, hub} from './machines/root-world.ts'
import {signedIn, until} from './machines/start-root.ts'
import {stopAfterTest} from './stop-after-test.ts'

/** A list that ends with its test, and with it what it offers. */
function startList(...options: Parameters<typeof start>) {
  const {list, end} = start(...options)
  onTestFinished(() => void end())
  return list
}

const features = (chat: boolean) => ({chatgpt: {enabled: chat}, suno: {enabled: true}})

test('the search of the list is offered while the site has a chat, and goes there', async () => {
  const site: Site = {id: 'site', origin: 'https://foo.example', title: 'Foo', features: features(false)}
  const actor = createActor(
    siteMachine.provide({
      actors: {getSite: fromPromise<Site | undefined, {origin: string}>(async () => site)},
      actions: {applySite: () => undefined},
    }),
    {input: {origin: 'https://foo.example', restored: site}},
  ).start()
  stopAfterTest(actor)
  await waitFor(actor, (snapshot) => snapshot.matches('ready'))
  const change = (chat: boolean) => actor.send({type: 'site.changed', site: {...site, features: features(chat)}})
  const go = vi.fn(async () => undefined)
  offerSearch(startList([settled('a')]), actor, {pathname: () => '/suno', go})
  expect(offered('searchList')).toBeUndefined()
  change(true)
  offered('searchList')?.()
  expect(go).toHaveBeenCalledExactlyOnceWith('/chatgpt')
  change(false)
  expect(offered('searchList')).toBeUndefined()
})

async function startSite() {
  const site: Site = {id: 'site', origin: 'https://foo.example', title: 'Foo', features: features(true)}
  const actor = createActor(
    siteMachine.provide({
      actors: {getSite: fromPromise<Site | undefined, {origin: string}>(async () => site)},
      actions: {applySite: () => undefined},
    }),
    {input: {origin: 'https://foo.example', restored: site}},
  ).start()
  stopAfterTest(actor)
  await waitFor(actor, (snapshot) => snapshot.matches('ready'))
  return actor
}

/** Presses the keys of the search while the list, which the server answers so, is not read. */
function pressEarly(site: Awaited<ReturnType<typeof startSite>>, answer: ReturnType<typeof settled>[]) {
  const list = startList([], async () => answer)
  const go = vi.fn(async () => undefined)
  offerSearch(list, site, {pathname: () => '/suno', go})
  offered('searchList')?.()
  expect(go).not.toHaveBeenCalled()
  return {list, go}
}

test('keys of the search that are pressed before the list is read lead there once it is, and nowhere when it is empty', async () => {
  const site = await startSite()
  const empty = pressEarly(site, [])
  empty.list.send({type: 'credential.ready'})
  await waitFor(empty.list, (snapshot) => snapshot.matches('success'))
  expect(empty.go).not.toHaveBeenCalled()
  expect(offered('searchList')).toBeUndefined()

  const full = pressEarly(site, [settled('a')])
  full.list.send({type: 'credential.ready'})
  await waitFor(full.list, (snapshot) => snapshot.matches('success'))
  expect(full.go).toHaveBeenCalledExactlyOnceWith('/chatgpt')
})

test.each([
  ['a press of the pointer', () => new Event('pointerdown'), 0],
  ['Escape', () => new KeyboardEvent('keydown', {key: 'Escape'}), 0],
  ['a letter that the page gets', () => new KeyboardEvent('keydown', {key: 'a'}), 0],
  ['Shift', () => new KeyboardEvent('keydown', {key: 'Shift'}), 1],
  ['the held key of the search', () => new KeyboardEvent('keydown', {key: 'L', ctrlKey: true, repeat: true}), 1],
])('a user who does something else is not led to the search: %s', async (_, work, times) => {
  const {list, go} = pressEarly(await startSite(), [settled('a')])
  dispatchEvent(work())
  list.send({type: 'credential.ready'})
  await waitFor(list, (snapshot) => snapshot.matches('success'))
  expect(go).toHaveBeenCalledTimes(times)
})

/** A page whose session is not open yet. */
function openPage(stored?: Record<string, unknown>) {
  const backend = createBackend()
  backend.server.conversations = [{id: 'c-1', title: 'Boats', model: 'gpt-5-all', messages: [], updated_at: 1}]
  const world = createWorld({backend, href: `${hub}/suno`, ...(stored && {stored})})
  const go = vi.fn(async () => undefined)
  const {root} = world
  root.start()
  offerSearches(root, {pathname: () => '/suno', go})
  return {root, go}
}
async function untilRead({actor, actors}: ReturnType<typeof openPage>['root']) {
  await until(actor, () => actors.session() !== undefined)
  await until(actors.session(), () => actors.conversations() !== undefined)
  await until(actors.conversations(), (snapshot) => snapshot.matches('success'))
}

test('keys of the search that are pressed before there is a session lead there once its list is read', async () => {
  const {root, go} = openPage(signedIn)
  expect(root.actors.session()).toBeUndefined()
  offered('searchList')?.()
  expect(go).not.toHaveBeenCalled()
  await untilRead(root)
  expect(go).toHaveBeenCalledExactlyOnceWith('/chatgpt')
})

test('keys of the search that are pressed before there is a session are forgotten when the user does something else', async () => {
  const {root, go} = openPage(signedIn)
  offered('searchList')?.()
  dispatchEvent(new Event('pointerdown'))
  await untilRead(root)
  expect(go).not.toHaveBeenCalled()
  offered('searchList')?.()
  expect(go).toHaveBeenCalledOnce()
})

test('the search has no keys where nobody is signed in', async () => {
  const ofOthers = offered('searchList')
  const {root} = openPage()
  await until(root.actors.auth(), (snapshot) => !selectIsSignedIn(snapshot))
  expect(offered('searchList')).toBe(ofOthers)
})

test('the search has no keys while a session of a site without a chat is expected', () => {
  const ofOthers = offered('searchList')
  const site = {id: 's', origin: hub, title: 'Foo', features: features(false)}
  const {root} = openPage({...signedIn, site})
  expect(root.actors.session()).toBeUndefined()
  expect(offered('searchList')).toBe(ofOthers)
})
