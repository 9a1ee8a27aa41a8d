import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {users} from '#server/store/schema/people.ts'
import {
  callback,
  createAuthServer,
  createBrowser,
  createPkce,
  loginPath,
  logoutPath,
  password,
  query,
  registerPath,
} from './auth-support.ts'
import {testOrigin, type TestServer} from './harness.ts'
import {flat} from './flat-page.ts'

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
const register = `${registerPath}${query({redirect: callback})}`

describe('the form', () => {
  test('signs in and goes back with a code and the state', async () => {
    const {challenge} = createPkce()
    const state = 'a'.repeat(43)
    const path = `${loginPath}${query({redirect: callback, state, code_challenge: challenge, code_challenge_method: 'S256'})}`
    const response = await createBrowser(server).submit(path, {email: ` ${email.toUpperCase()} `, password})
    expect(response.status).toBe(303)
    const target = new URL(response.headers.get('location') ?? '')
    expect(`${target.origin}${target.pathname}`).toBe(`${testOrigin}/auth/callback`)
    expect(target.searchParams.get('redirect')).toBe('/chatgpt')
    expect(target.searchParams.get('state')).toBe(state)
    expect(target.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('answers an unknown address and a wrong password alike', async () => {
    const wrong = await createBrowser(server).submit(page, {email, password: 'wrong horse battery'})
    const unknown = await createBrowser(server).submit(page, {
      email: 'nobody@example.com',
      password: 'wrong horse battery',
    })
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    const plain = (text: string) => text.replaceAll(/nonce="[^"]*"|value="[^"]*"/g, '')
    expect(plain(await wrong.text())).toBe(plain(await unknown.text()))
  })

  test('keeps what was typed, except the password, and names each field that is wrong', async () => {
    const response = await createBrowser(server).submit(register, {email: 'foo@', password: 'short'})
    expect(response.status).toBe(400)
    const text = flat(await response.text())
    expect(text).toContain('role="alert"')
    expect(text).toContain('value="foo@"')
    expect(text).not.toContain('value="short"')
    expect(text).toContain('Enter an email address like name@example.com.')
    expect(text).toContain('Use at least 10 characters for the password.')
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(2)
    expect(text).toMatch(/aria-describedby="password-error password-hint"/)
  })

  test('says that the account was deleted where its deletion leads, until something else is to be said', async () => {
    const said = 'Your account has been deleted.'
    const deleted = `${loginPath}${query({redirect: callback, reason: 'deleted'})}`
    const open = async (path: string) => flat(await (await createBrowser(server).open(path)).text())
    expect(await open(deleted)).toContain(said)
    expect(await open(`${loginPath}${query({redirect: callback, reason: 'deleted', lang: 'de'})}`)).toContain(
      'Dein Konto wurde gelöscht.',
    )
    expect(await open(page)).not.toContain(said)
    expect(await open(`${loginPath}${query({redirect: callback, reason: 'foo'})}`)).not.toContain(said)
    expect(await open(`${registerPath}${query({redirect: callback, reason: 'deleted'})}`)).not.toContain(said)
    const wrong = await createBrowser(server).submit(deleted, {
      email,
      password: 'wrong horse battery',
    })
    expect(flat(await wrong.text())).not.toContain(said)
  })

  test('says the rule for the password before typing', async () => {
    const text = await (await createBrowser(server).open(register)).text()
    expect(text).toContain('At least 10 characters.')
    expect(text).toContain('autocomplete="new-password"')
  })

  test('is refused without its cookie, with a foreign token and after 12 hours', async () => {
    const shown = await (await createBrowser(server).open(page)).text()
    const token = /name="form_token" value="([^"]*)"/.exec(shown)?.[1] ?? ''
    const fields = {form_token: token, email, password}
    const withoutCookie = await createBrowser(server).send(page, fields)
    const other = createBrowser(server)
    await other.open(page)
    const withForeignToken = await other.send(page, fields)
    expect([withoutCookie.status, withForeignToken.status]).toEqual([403, 403])

    const aging = await createAuthServer()
    const browser = createBrowser(aging)
    const old = /name="form_token" value="([^"]*)"/.exec(await (await browser.open(page)).text())?.[1] ?? ''
    aging.advance(12 * 60 * 60 * 1000 + 1000)
    expect((await browser.send(page, {...fields, form_token: old})).status).toBe(403)
    await aging.close()
  })

  test('of a foreign page is refused', async () => {
    const browser = createBrowser(server)
    const response = await browser
      .submit(page, {email, password}, {origin: 'https://evil.example'})
      .catch(() => undefined)
    expect(response).toBeUndefined()
    const sent = await browser.send(page, {email, password}, {origin: 'https://evil.example'})
    expect(sent.status).toBe(403)
  })

  test('two tabs with the form do not spoil each other', async () => {
    const browser = createBrowser(server)
    const first = /name="form_token" value="([^"]*)"/.exec(await (await browser.open(page)).text())?.[1] ?? ''
    await browser.open(register)
    expect((await browser.send(page, {form_token: first, email, password})).status).toBe(303)
  })
})

describe('registration', () => {
  test('the first account of an installation runs it, also when two register at once', async () => {
    const fresh = await createAuthServer()
    const shown = await (await createBrowser(fresh).open(register)).text()
    expect(shown).toContain('This is the first account here')
    const emails = ['a', 'b', 'c', 'd'].map((name) => `${name}@example.com`)
    const responses = await Promise.all(emails.map((email) => createBrowser(fresh).submit(register, {email, password})))
    expect(responses.map(({status}) => status)).toEqual([303, 303, 303, 303])
    const rows = await fresh.deps.database.asSystem((transaction) => transaction.select({role: users.role}).from(users))
    expect(rows.map(({role}) => role).sort()).toEqual(['member', 'member', 'member', 'operator'])
    expect(await (await createBrowser(fresh).open(register)).text()).not.toContain('This is the first account here')
    await fresh.close()
  })

  test('one address has one account, whatever its case', async () => {
    const response = await createBrowser(server).submit(register, {
      email: email.toUpperCase(),
      password: 'another horse battery',
    })
    expect(response.status).toBe(409)
    expect(await response.text()).toContain('This address already has an account.')
  })

  test('stores the password as a slow hash only', async () => {
    await createBrowser(server).submit(register, {email: 'hash@example.com', password})
    const [row] = await server.deps.database.asSystem((transaction) =>
      transaction.select().from(users).where(eq(users.email, 'hash@example.com')),
    )
    expect(row?.passwordHash).toMatch(/^scrypt\$32768\$8\$3\$/)
    expect(JSON.stringify(row)).not.toContain(password)
  })
})

describe('headers', () => {
  test('no frame, no other address, no inline script without the nonce', async () => {
    const response = await createBrowser(server).open(page)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain(`form-action 'self' ${testOrigin}`)
    expect(policy).not.toContain('unsafe')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
    const text = await response.text()
    const runnable = [...text.matchAll(/<(script|style)\b([^>]*)>/g)].filter(
      ([, , attributes]) => !attributes?.includes('application/json'),
    )
    expect(runnable).toHaveLength(2)
    for (const [, , attributes] of runnable) expect(attributes).toContain(`nonce="${nonce}"`)
    expect(text).not.toMatch(/\son[a-z]+=|\sstyle=|(?:src|href)="https?:/i)
    expect((await createBrowser(server).open(page)).headers.get('content-security-policy')).not.toBe(policy)
  })

  test('the cookie is for these pages only, and not for scripts', async () => {
    const cookie = (await createBrowser(server).open(page)).headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(
      /^atrium_form=[\w-]{43}\.\d+; Path=\/services\/auth\/auth; Max-Age=43200; HttpOnly; SameSite=Lax$/,
    )
  })

  test('behind https the cookie is secure, and in a frame of another site it is partitioned', async () => {
    const https = await createAuthServer({config: {publicOrigins: ['https://hub.example']}})
    const at = (path: string) => https.handle(new Request(`https://hub.example${path}`))
    const redirect = 'https://hub.example/auth/callback'
    expect((await at(`${loginPath}${query({redirect})}`)).headers.get('set-cookie')).toMatch(/SameSite=Lax; Secure$/)
    const framed = await at(`${loginPath}${query({parent_origin: 'https://hub.example'})}`)
    expect(framed.headers.get('set-cookie')).toMatch(/SameSite=None; Partitioned; Secure$/)
    await https.close()
  })
})

describe('signing out', () => {
  const leave = async (redirect: string | undefined) => {
    const response = await createBrowser(server).open(`${logoutPath}${query({redirect})}`)
    return response.status === 303 ? response.headers.get('location') : response.status
  }

  test('goes on to the login page as it is, and home without an address', async () => {
    const login = `${testOrigin}${loginPath}${query({redirect: callback, state: 'a'.repeat(43)})}`
    expect(await leave(login)).toBe(login)
    expect(await leave(undefined)).toBe(`${testOrigin}/`)
    expect(await leave(`${testOrigin}/chatgpt`)).toBe(`${testOrigin}/chatgpt`)
  })

  test('a page that opens without a session ends neither a hand-over nor the form in another tab', async () => {
    const login = `${testOrigin}${page}`
    const browser = createBrowser(server)
    await browser.submit(loginPath, {email, password})
    const before = new Map(browser.jar)
    expect([...before.keys()].sort()).toEqual(['atrium_form', 'atrium_handover'])
    await browser.open(`${logoutPath}${query({redirect: login, reason: 'opening'})}`)
    expect(new Map(browser.jar)).toEqual(before)
    await browser.open(`${logoutPath}${query({redirect: login})}`)
    expect([...browser.jar.values()].filter(Boolean)).toEqual([])
    expect((await browser.open(page)).status).toBe(200)
  })

  test('the specified client’s current address becomes the callback’s redirect', async () => {
    const login = `${testOrigin}${loginPath}?redirect=${encodeURIComponent(`${testOrigin}/grok/conversations?a=b`)}`
    const next = new URL((await leave(login)) as string)
    expect(next.searchParams.get('redirect')).toBe(
      `${testOrigin}/auth/callback?redirect=%2Fgrok%2Fconversations%3Fa%3Db`,
    )
    expect((await createBrowser(server).open(`${next.pathname}${next.search}`)).status).toBe(200)
  })

  test.each([
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    `${testOrigin}@evil.example/`,
    `https://evil.example${loginPath}`,
    `${testOrigin}${loginPath}?redirect=https://evil.example/`,
    `http://user:secret@127.0.0.1:4000/`,
  ])('never to %s', async (redirect) => {
    expect(await leave(redirect)).toBe(400)
  })
})

/** A clock that stands, so that no bucket fills while a slow machine hashes. */
