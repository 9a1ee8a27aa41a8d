import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {callback, createAuthServer, createBrowser, loginPath, password, query} from './auth-support.ts'
import {testOrigin, type TestServer} from './harness.ts'

let server: TestServer
let email: string
beforeAll(async () => {
  server = await createAuthServer()
})
beforeEach(async () => {
  ;({email} = (await server.createUser({password, role: 'member'})).user)
})
afterAll(() => server.close())

const page = `${loginPath}${query({redirect: callback})}`

type EmbeddedData = {origins: string[]; qrLink: string; state?: string; login?: {refresh_token: string}}

describe('the embedded form', () => {
  const embedded = (changes: Record<string, string> = {}) =>
    `${loginPath}${query({parent_origin: testOrigin, state: 's'.repeat(43), ...changes})}`
  const dataOf = (text: string) =>
    JSON.parse(/<script type="application\/json" id="page">([^<]*)<\/script>/.exec(text)?.[1] ?? '') as EmbeddedData

  test('may be framed by the page it answers, and by no other', async () => {
    const response = await createBrowser(server).open(embedded())
    expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors ${testOrigin};`)
    for (const parent of [
      'https://evil.example',
      'null',
      '*',
      `${testOrigin}/`,
      `${testOrigin}@evil.example`,
      'javascript:alert(1)',
    ]) {
      const refused = await createBrowser(server).open(embedded({parent_origin: parent}))
      expect([parent, refused.status]).toEqual([parent, 400])
      expect(refused.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })

  test('hands the tokens and the state to exactly that page', async () => {
    const response = await createBrowser(server).submit(embedded(), {email, password})
    expect(response.status).toBe(200)
    const data = dataOf(await response.text())
    expect(data).toEqual({
      origins: [testOrigin],
      state: 's'.repeat(43),
      qrLink: expect.any(String),
      login: {access_token: expect.stringMatching(/^at-/), refresh_token: expect.any(String), expires_in: 900},
    })
    const refreshed = await server.call('POST', '/services/auth/oauth2/v1/token', {
      body: {grant_type: 'refresh_token', refresh_token: data.login?.refresh_token},
    })
    expect(refreshed.status).toBe(200)
  })

  test('knows no token before the password was right', async () => {
    const response = await createBrowser(server).submit(embedded(), {
      email,
      password: 'wrong horse battery',
    })
    expect(dataOf(await response.text()).login).toBeUndefined()
  })

  test('without a named parent, in a frame, it answers our own pages only', async () => {
    const response = await createBrowser(server).open(`${loginPath}?inviter_id=undefined`, {'sec-fetch-dest': 'iframe'})
    expect(dataOf(await response.text()).origins).toEqual(['http://localhost:4000', testOrigin, 'http://[::1]:4000'])
    expect(response.headers.get('content-security-policy')).toContain(
      `frame-ancestors http://localhost:4000 ${testOrigin};`,
    )
  })

  test('its QR code opens this login page, and signing in there ends in the app', async () => {
    const qrLink = new URL(dataOf(await (await createBrowser(server).open(embedded({lang: 'de'}))).text()).qrLink)
    expect(`${qrLink.origin}${qrLink.pathname}`).toBe(`${testOrigin}${loginPath}`)
    const phone = createBrowser(server)
    const signedIn = await phone.submit(`${qrLink.pathname}${qrLink.search}`, {email, password})
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, `${testOrigin}/`])
    // the app starts its own login, which asks nothing a second time, and once only
    const handedOver = await phone.open(page)
    expect(handedOver.status).toBe(303)
    expect(handedOver.headers.get('location')).toMatch(/\/auth\/callback\?redirect=%2Fchatgpt&code=/)
    expect((await phone.open(page)).status).toBe(200)
  })

  test.each([
    ['loopback alone', {}, testOrigin + loginPath],
    [
      'a public origin',
      {publicOrigins: ['http://localhost:8080', 'http://nas.lan:4000']},
      'http://nas.lan:4000' + loginPath,
    ],
  ])('its QR code is for another device: %s', async (_, config, expected) => {
    const configured = await createAuthServer({config})
    const qrLink = new URL(dataOf(await (await createBrowser(configured).open(embedded())).text()).qrLink)
    expect(`${qrLink.origin}${qrLink.pathname}`).toBe(expected)
  })

  test('the hand-over is spent at its first use, also when a copy of it comes back', async () => {
    const phone = createBrowser(server)
    await phone.submit(loginPath, {email, password})
    const cookie = phone.jar.get('atrium_handover') ?? ''
    const copies = await Promise.all(
      Array.from({length: 5}, () => {
        const copy = createBrowser(server)
        copy.jar.set('atrium_handover', cookie)
        return copy.open(page)
      }),
    )
    expect(copies.map(({status}) => status).sort()).toEqual([200, 200, 200, 200, 303])
    phone.jar.set('atrium_handover', cookie)
    expect((await phone.open(page)).status).toBe(200)
  })

  test('a page that cannot take the hand-over leaves it unspent', async () => {
    const phone = createBrowser(server)
    await phone.submit(loginPath, {email, password})
    expect((await phone.open(loginPath)).status).toBe(200)
    expect((await phone.open(page)).status).toBe(303)
  })

  test('the hand-over ends after a minute and cannot be made up', async () => {
    const aging = await createAuthServer()
    const {user} = await aging.createUser({email, password})
    const phone = createBrowser(aging)
    await phone.submit(loginPath, {email, password})
    const cookie = phone.jar.get('atrium_handover') ?? ''
    phone.jar.set(
      'atrium_handover',
      cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    )
    expect((await phone.open(page)).status).toBe(200)
    phone.jar.set('atrium_handover', `${user.id}.9999999999.${'a'.repeat(43)}`)
    expect((await phone.open(page)).status).toBe(200)
    phone.jar.set('atrium_handover', cookie)
    aging.advance(61_000)
    expect((await phone.open(page)).status).toBe(200)
    await aging.close()
  })
})
