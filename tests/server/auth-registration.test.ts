import {afterEach, describe, expect, test} from 'vitest'
import {setupAddress} from '#server/auth/registration.ts'
import type {Config} from '#server/config.ts'
import {callback, createAuthServer, createBrowser, loginPath, password, query, registerPath} from './auth-support.ts'
import type {TestServer} from './harness.ts'
import {long} from '../long.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})
const open = async (config: Partial<Config>) => (server = await createAuthServer({config}))
const reachable = {publicOrigins: ['http://nas.lan:4000'], registration: 'closed'} as const
const user = (email: string) => ({email, password})
const search = query({redirect: callback})
const setupNeeded = 'There is no account here yet.'
const closed = 'Nobody can register here by themselves.'
const roles = (on: TestServer) =>
  on.deps.database.pool
    .query<{email: string; role: string}>('select email, role from users order by created_at')
    .then(({rows}) => rows.map(({email, role}) => `${email} ${role}`))

describe('a server that other machines reach', () => {
  test.each([
    ['by its address', {host: '0.0.0.0'}],
    ['through a proxy', {publicOrigins: ['https://ai.example.org']}],
    ['through an origin of a service', {serviceOrigins: {auth: 'https://auth.example.org'}}],
  ])('%s: prints a link', async (_, config) => {
    expect(await setupAddress((await open(config)).deps)).toMatch(/\/auth\/register\?setup=[\w-]{43}$/)
  })

  const needsNoLink = async (_: string, config: Parameters<typeof open>[0]) => {
    const own = await open(config)
    expect(await setupAddress(own.deps)).toBeUndefined()
    expect((await createBrowser(own).submit(registerPath + search, user('foo@example.com'))).status).toBe(303)
    expect(await roles(own)).toEqual(['foo@example.com operator'])
  }
  const onLoopback = 'on loopback with %s there is none, and anybody makes the first account'
  test.each([['a mapped port', {publicOrigins: ['http://localhost:8080']}]])(onLoopback, needsNoLink)
  test.each([['its own page', {}]])(onLoopback, long, needsNoLink)

  test('the first account is made with the link that the start prints, once; a stranger is told so', async () => {
    const own = await open(reachable)
    const browser = createBrowser(own)
    for (const setup of [undefined, 'A'.repeat(43)]) {
      const path = registerPath + query({redirect: callback, setup})
      const page = await browser.open(path)
      const text = await page.text()
      expect([page.status, text.includes(setupNeeded), text.includes('name="password"')]).toEqual([403, true, false])
      // also without the page: the form's token of the sign-in page is as good
      const shown = await (await browser.open(loginPath + search)).text()
      expect(shown).toContain(setupNeeded)
      const token = /name="form_token" value="([^"]*)"/.exec(shown)?.[1] ?? ''
      expect((await browser.send(path, {form_token: token, ...user('stranger@example.com')})).status).toBe(403)
    }
    expect(await roles(own)).toEqual([])

    const link = new URL((await setupAddress(own.deps)) ?? '')
    expect(link.origin).toBe('http://nas.lan:4000')
    expect(await setupAddress(own.deps)).toBe(link.href)
    const path = link.pathname + link.search
    expect((await browser.submit(path, user('foo@example.com'))).status).toBe(303)
    expect(await roles(own)).toEqual(['foo@example.com operator'])

    expect(await setupAddress(own.deps)).toBeUndefined()
    const again = await createBrowser(own).open(path)
    expect([again.status, (await again.text()).includes(closed)]).toEqual([403, true])
  })

  test('one of two that send the link’s form at once is the first, and the other is refused', async () => {
    const own = await open(reachable)
    const link = new URL((await setupAddress(own.deps)) ?? '')
    const send = (email: string) => createBrowser(own).submit(link.pathname + link.search, user(email))
    const statuses = (await Promise.all([send('foo@example.com'), send('bar@example.com')])).map(({status}) => status)
    expect(statuses.sort()).toEqual([303, 403])
    expect(await roles(own)).toHaveLength(1)
  })
})

describe('REGISTRATION', () => {
  test('closed: the page says so in its language, an account that was made signs in', async () => {
    const own = await open({registration: 'closed'})
    await own.createUser({email: 'foo@example.com', password})
    const browser = createBrowser(own)
    const page = await browser.open(registerPath + search, {'accept-language': 'de'})
    expect(page.status).toBe(403)
    expect(await page.text()).toContain('Hier kann man sich nicht selbst registrieren.')
    const login = await (await browser.open(loginPath + search)).text()
    expect([login.includes(closed), login.includes('Create an account')]).toEqual([true, false])
    expect((await browser.submit(loginPath + search, user('foo@example.com'))).status).toBe(303)
  })

  test('open: others register, beyond loopback too', async () => {
    const own = await open({...reachable, registration: 'open'})
    await own.createUser({email: 'foo@example.com'})
    expect((await createBrowser(own).submit(registerPath + search, user('bar@example.com'))).status).toBe(303)
    expect(await roles(own)).toEqual(['foo@example.com operator', 'bar@example.com member'])
  })
})
