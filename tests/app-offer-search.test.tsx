import {expect, test, vi} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {Site} from '#contract/management.ts'
import {offerSearch} from '#app/commands/offer-search.ts'
import {offered} from '#browser/commands.ts'
import {siteMachine} from '#machines/site/site.machine.ts'
import {settled, start} from './machines/conversation-list-fixture.ts'
import {stopAfterTest} from './stop-after-test.ts'

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
  offerSearch(start([settled('a')]).list, actor, {pathname: () => '/suno', go})
  expect(offered('searchList')).toBeUndefined()
  change(true)
  offered('searchList')?.()
  expect(go).toHaveBeenCalledExactlyOnceWith('/chatgpt')
  change(false)
  expect(offered('searchList')).toBeUndefined()
})
