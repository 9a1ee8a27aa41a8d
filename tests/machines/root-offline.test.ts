import {expect, test} from 'vitest'
import {retryFirstReads} from '#app/logic/retry-first-reads.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {eventually} from '../eventually.ts'
import {createBackend} from './root-world.ts'
import {need, signedIn, start, until} from './start-root.ts'

/** A page that opened while nothing could be read, and shows what the device has. */
async function openCopy({isOnline}: {isOnline: boolean}) {
  const backend = createBackend()
  const fetch = backend.fetch
  let isAway = true
  const refused = () => new Response('{"code": "forbidden"}', {status: 403})
  const world = start({
    backend: {...backend, fetch: async (...call) => (isAway ? refused() : fetch(...call))},
    stored: {...signedIn, site: {id: 's', origin: 'https://hub.test', title: 'Kept'}},
    isOnline,
  })
  const {actors} = world.root
  await until(actors.site(), (snapshot) => snapshot.matches('failed'))
  await until(actors.auth(), (snapshot) => snapshot.hasTag('authenticated'))
  expect(need(actors.auth()).getSnapshot().context.user).toEqual({id: 'u-1'})
  const shown = () => [
    selectSite(need(actors.site()).getSnapshot())?.title,
    need(actors.auth()).getSnapshot().context.user?.nickname,
  ]
  const asked = () => backend.calls.filter((call) => /sites|users/.test(call))
  const listen = () => retryFirstReads(world.root, (message) => world.logged.push(message))
  return {...world, shown, asked, listen, comeBack: () => (isAway = false)}
}

test('a page that opened without a network asks for the site and the user when there is one', async () => {
  const {events, shown, asked, listen, comeBack, root} = await openCopy({isOnline: false})
  listen()
  const session = root.actors.session()
  expect([shown(), asked()]).toEqual([['Kept', undefined], []])
  comeBack()
  events.online.next(true)
  await eventually(() => expect(shown()).toEqual(['Foo', 'Foo']))
  const all = asked()
  expect(all.toSorted()).toEqual(['GET /api/v1/sites/', 'GET /api/v1/users/me'])
  // what was read is not asked for again, and the session is the same one
  events.online.next(false)
  events.online.next(true)
  await until(root.actors.environment(), (snapshot) => snapshot.matches({network: 'online'}))
  expect(asked()).toEqual(all)
  expect(root.actors.session()).toBe(session)
})

test('where the server was away it asks at once and when the page is shown again', async () => {
  const {events, shown, logged, listen, comeBack} = await openCopy({isOnline: true})
  listen()
  await eventually(() => expect(logged).toContain('The user is that of the copy still'))
  expect(shown()).toEqual(['Kept', undefined])
  comeBack()
  events.visible.next(false)
  events.visible.next(true)
  await eventually(() => expect(shown()).toEqual(['Foo', 'Foo']))
})
