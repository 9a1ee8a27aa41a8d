import {createMemoryHistory} from '@tanstack/react-router'
import {expect, test, vi} from 'vitest'
import {createActor, fromPromise} from 'xstate'
import {type User} from '#contract/management.ts'
import {createAppRouter} from '#app/router.ts'
import {authMachine} from '#machines/auth/auth.machine.ts'
import {type LoginInput, type LoginStart} from '#machines/auth/auth.types.ts'
import {startEnvironment} from '../../machines/environment-fixture.ts'
import {nobody} from '../../machines/nobody.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'

const token = {access: 'foo', expiration: 900, receivedAt: 0, refreshAt: 0}
const user: User = {id: 'bar'}

/** The real auth chart; the user arrives when the test says so. */
function startAuth({signedIn}: {signedIn: boolean}) {
  let arrive: (user: User) => void = () => {}
  const fetched = new Promise<User>((resolve) => (arrive = resolve))
  const startLogin = vi.fn((_input: LoginInput) => {})
  const auth = createActor(
    authMachine.provide({
      actions: {forgetAccess: () => undefined},
      actors: {
        fetchUser: fromPromise<User, {access: string}>(() => fetched),
        startLogin: fromPromise<LoginStart, LoginInput>(async ({input}) => {
          startLogin(input)
          return {kind: 'leaving'}
        }),
      },
    }),
    {
      input: {
        environment: startEnvironment(),
        parentRef: nobody,
        flow: 'redirect',
        epoch: 0,
        canRefresh: false,
        ...(signedIn ? {restored: {token}} : {}),
      },
    },
  ).start()
  stopAfterTest(auth)
  return {auth, startLogin, arrive: () => arrive(user)}
}

function open(path: string, auth: ReturnType<typeof startAuth>['auth']) {
  const prepareLanguage = vi.fn(() => Promise.resolve())
  const router = createAppRouter(
    {auth: () => auth, prepareLanguage, prepareWords: () => Promise.resolve()},
    createMemoryHistory({initialEntries: [path]}),
  )
  return {router, prepareLanguage, loaded: router.load()}
}

const loginRequired = [
  '/midjourney',
  '/qrart',
  '/luma',
  '/pika',
  '/kling',
  '/veo',
  '/sora',
  '/pixverse',
  '/flux',
  '/hailuo',
  '/headshots',
  '/suno',
  '/nanobanana',
  '/luma/history',
  '/kling/history',
  '/veo/history',
  '/sora/history',
  '/pixverse/history',
  '/hailuo/history',
  '/suno/history',
  '/console/applications',
  '/console/applications/1/extra',
  '/console/applications/1/subscribe',
  '/console/orders',
  '/console/orders/1',
  '/console/usages',
  '/distribution',
  '/distribution/history',
  '/distribution/invitees',
]

test('the guard waits until start-up has decided, then lets a signed-in user pass', async () => {
  const {auth, arrive} = startAuth({signedIn: true})
  const {router, loaded} = open('/kling', auth)
  const settled = vi.fn()
  void loaded.then(settled)
  auth.send({type: 'session.resume'})
  await Promise.resolve()
  expect(settled).not.toHaveBeenCalled()
  arrive()
  await loaded
  expect(router.state.location.pathname).toBe('/kling')
})

test.each(loginRequired)('%s asks a visitor to sign in and remembers the way back', async (path) => {
  const {auth, startLogin} = startAuth({signedIn: false})
  const {router, loaded} = open(`${path}?foo=bar`, auth)
  auth.send({type: 'session.resume'})
  await loaded
  expect(router.state.location.href).toBe(`/auth/login?redirect=${encodeURIComponent(`${path}?foo=bar`)}`)
  expect(startLogin).toHaveBeenCalledExactlyOnceWith({
    reason: 'absent',
    returnPath: `${path}?foo=bar`,
    isForced: false,
  })
})

test.each([
  ['/', '/chatgpt/conversations'],
  ['/chatgpt', '/chatgpt/conversations'],
  ['/deepseek', '/deepseek/conversations'],
  ['/grok/', '/grok/conversations'],
  ['/chatgpt/conversations/1', '/chatgpt/conversations/1'],
  ['/site', '/site'],
  ['/profile', '/profile'],
])('%s is open to visitors and leads to %s', async (path, target) => {
  const {auth} = startAuth({signedIn: false})
  const {router, loaded} = open(path, auth)
  await loaded
  expect(router.state.location.pathname).toBe(target)
})

test('/console leads to the applications', async () => {
  const {auth, arrive} = startAuth({signedIn: true})
  const {router, loaded} = open('/console', auth)
  auth.send({type: 'session.resume'})
  arrive()
  await loaded
  expect(router.state.location.pathname).toBe('/console/applications')
})

test.each([
  ['/auth/callback?redirect=%2Fluma', '/luma'],
  ['/auth/login?redirect=%2Fluma', '/luma'],
  ['/auth/callback', '/chatgpt/conversations'],
  ['/auth/callback?redirect=https%3A%2F%2Fevil.example', '/chatgpt/conversations'],
  ['/auth/callback?redirect=%2F%5Cevil.example', '/chatgpt/conversations'],
])('%s brings a signed-in user to %s', async (path, target) => {
  const {auth, arrive} = startAuth({signedIn: true})
  const {router, loaded} = open(path, auth)
  auth.send({type: 'session.resume'})
  arrive()
  await loaded
  expect(router.state.location.pathname).toBe(target)
})

test('a login that failed is not started again by itself', async () => {
  const {auth, startLogin} = startAuth({signedIn: false})
  const {router, loaded} = open('/auth/callback', auth)
  auth.send({type: 'session.resume'})
  await loaded
  expect(router.state.location.pathname).toBe('/auth/callback')
  expect(startLogin).not.toHaveBeenCalled()
})

test('the language is loaded before each navigation', async () => {
  const {auth, arrive} = startAuth({signedIn: true})
  const {router, prepareLanguage, loaded} = open('/profile', auth)
  auth.send({type: 'session.resume'})
  arrive()
  await loaded
  expect(prepareLanguage).toHaveBeenCalledTimes(1)
  await router.navigate({to: '/site'})
  expect(prepareLanguage).toHaveBeenCalledTimes(2)
})

test('a navigation waits for its language', async () => {
  const {auth} = startAuth({signedIn: false})
  let ready: () => void = () => {}
  const router = createAppRouter(
    {
      auth: () => auth,
      prepareLanguage: () => new Promise<void>((resolve) => (ready = resolve)),
      prepareWords: () => Promise.resolve(),
    },
    createMemoryHistory({initialEntries: ['/site']}),
  )
  const settled = vi.fn()
  const loaded = router.load().then(settled)
  await Promise.resolve()
  expect(settled).not.toHaveBeenCalled()
  ready()
  await loaded
  expect(settled).toHaveBeenCalled()
})

test('queries of other services stay as they were written', async () => {
  const {auth} = startAuth({signedIn: false})
  const {router, loaded} = open('/site?inviter_id=123&x=%22a%22', auth)
  await loaded
  expect(router.state.location.searchStr).toBe('?inviter_id=123&x=%22a%22')
})

test.each(['?a=b%20c', '?a=1&a=2&b=', '?code=123&a=true', '?a=%26%3D%2B%3F%23', '?a=%C3%A9', '?__proto__=foo', ''])(
  'an address with %s stays as it is',
  async (query) => {
    const {auth} = startAuth({signedIn: false})
    const {router, loaded} = open(`/profile${query}`, auth)
    await loaded
    expect(router.state.location.href).toBe(`/profile${query}`)
  },
)

test.each(['/console/applications', '/site', '/kling', '/compare'])(
  '%s whose words do not come says so instead of showing their names, and is tried anew by the next visit',
  async (path) => {
    const {auth, arrive} = startAuth({signedIn: true})
    auth.send({type: 'session.resume'})
    arrive()
    const prepareWords = vi.fn(() => Promise.reject(new Error('no words')))
    const router = createAppRouter(
      {auth: () => auth, prepareLanguage: () => Promise.resolve(), prepareWords},
      createMemoryHistory({initialEntries: [path]}),
    )
    await router.load()
    expect(router.state.matches.map(({error}) => error).filter(Boolean)).toEqual([new Error('no words')])
    prepareWords.mockImplementation(() => Promise.resolve() as Promise<never>)
    await router.navigate({to: '/chatgpt'})
    await router.navigate({href: path})
    expect(router.state.matches.map(({error}) => error).filter(Boolean)).toEqual([])
  },
)
