import {describe, expect, test, vi} from 'vitest'
import {createSecret} from '#api/random.ts'
import {fingerprintOf} from '#browser/fingerprint.ts'
import {createCookieStore, createLoginTransactions, loginLifetime} from '#browser/login-transactions.ts'
import {takeLoginReturn} from '#browser/take-login-return.ts'
import {loginMessages$} from '#browser/login-messages.ts'
import {installTrustedTypes} from '#browser/trusted-types.ts'
import {createFakeStorage} from './fake-storage.ts'

const started = (overrides: object = {}) => ({
  state: createSecret(),
  verifier: createSecret(),
  returnPath: '/chatgpt',
  redirectUri: 'https://hub.test/auth/callback?redirect=%2Fchatgpt',
  createdAt: 1000,
  ...overrides,
})

describe('login transactions', () => {
  test('a transaction is given back once', () => {
    const transactions = createLoginTransactions(sessionStorage)
    const mine = started()
    const other = started()
    expect(transactions.begin(mine)).toBe(true)
    transactions.begin(other)
    expect(transactions.claim(mine.state, 2000)).toEqual(mine)
    expect(transactions.claim(mine.state, 2000)).toBeUndefined()
    expect(transactions.claim(other.state, 2000)).toEqual(other)
  })

  test.each([
    ['at its last moment', 1000 + loginLifetime, true],
    ['too late', 1001 + loginLifetime, false],
    ['before it began', 999, false],
  ])('%s', (_, now, isLive) => {
    const transactions = createLoginTransactions(sessionStorage)
    const mine = started()
    transactions.begin(mine)
    expect(transactions.claim(mine.state, now) !== undefined).toBe(isLive)
    expect(transactions.claim(mine.state, 1500)).toBeUndefined()
  })

  test('a state nobody began, none at all, or one that was tampered with', () => {
    const transactions = createLoginTransactions(sessionStorage)
    const mine = started()
    transactions.begin(mine)
    expect(transactions.claim(createSecret(), 2000)).toBeUndefined()
    expect(transactions.claim(undefined, 2000)).toBeUndefined()
    const moved = createSecret()
    sessionStorage.setItem(`atrium.login.${moved}`, JSON.stringify(mine))
    expect(transactions.claim(moved, 2000)).toBeUndefined()
    sessionStorage.setItem(`atrium.login.${moved}`, '{')
    expect(transactions.claim(moved, 2000)).toBeUndefined()
  })

  test('redirects of the last minute are known after a reload', () => {
    const transactions = createLoginTransactions(sessionStorage)
    for (const time of [1_000, 50_000, 70_000]) transactions.noteRedirect(time)
    expect(createLoginTransactions(sessionStorage).redirects(70_000)).toEqual([50_000, 70_000])
    transactions.forgetRedirects()
    expect(transactions.redirects(70_000)).toEqual([])
  })

  test('a browser that stores nothing has no transaction, and nothing throws', () => {
    const forbidden = createFakeStorage()
    forbidden.state.isForbidden = true
    for (const storage of [undefined, forbidden.storage]) {
      const transactions = createLoginTransactions(storage)
      const mine = started()
      expect(transactions.begin(mine)).toBe(false)
      expect(transactions.claim(mine.state, 2000)).toBeUndefined()
      transactions.noteRedirect(1000)
      expect(transactions.redirects(1000)).toEqual([])
    }
  })
})

describe('login transactions without a storage', () => {
  /** A document whose cookies are kept, unless they are forbidden. */
  const createPage = (isForbidden = false) => {
    const jar = new Map<string, string>()
    return {
      jar,
      get cookie() {
        return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      },
      set cookie(text: string) {
        const [pair = '', ...attributes] = text.split('; ')
        const [name = '', value = ''] = pair.split('=')
        if (isForbidden) return
        if (attributes.includes('Max-Age=0')) jar.delete(name)
        else jar.set(name, value)
      },
    }
  }
  const open = (page: ReturnType<typeof createPage>) => {
    const forbidden = createFakeStorage()
    forbidden.state.isForbidden = true
    return createLoginTransactions(forbidden.storage, createCookieStore(page, {protocol: 'https:'}))
  }

  test('a cookie of the host keeps it until it is claimed, also over a reload', () => {
    const page = createPage()
    const mine = started()
    expect(open(page).begin(mine)).toBe(true)
    open(page).noteRedirect(1_000)
    expect(open(page).redirects(1_000)).toEqual([1_000])
    expect(open(page).claim(mine.state, 2_000)).toEqual(mine)
    expect(open(page).claim(mine.state, 2_000)).toBeUndefined()
    open(page).forgetRedirects()
    expect(page.jar.size).toBe(0)
  })

  test('one too long for a cookie, and one in a browser without cookies, is not kept', () => {
    expect(open(createPage()).begin(started({returnPath: `/${'ä'.repeat(1_500)}`}))).toBe(false)
    expect(open(createPage(true)).begin(started())).toBe(false)
  })
})

describe('the return from the login page', () => {
  const take = (href: string) => {
    const replaceState = vi.fn()
    const taken = takeLoginReturn({href}, {replaceState, state: 'kept'})
    return {taken, replaced: replaceState.mock.calls}
  }

  test('code and state leave the address, and nothing else does', () => {
    expect(take('https://hub.test/auth/callback?redirect=%2Fa&code=c&state=s&x=1#foo')).toEqual({
      taken: {code: 'c', state: 's'},
      replaced: [['kept', '', 'https://hub.test/auth/callback?redirect=%2Fa&x=1#foo']],
    })
  })

  test('a path that looks like another host stays on this one', () => {
    expect(take('https://hub.test//evil.test?code=c').replaced).toEqual([['kept', '', 'https://hub.test//evil.test']])
  })

  test('without a code nothing is touched', () => {
    expect(take('https://hub.test/a?state=s')).toEqual({taken: undefined, replaced: []})
  })

  test.each(['', 'c'.repeat(513)])('a code that cannot be one leaves the address and is dropped', (code) => {
    const {taken, replaced} = take(`https://hub.test/a?code=${code}`)
    expect(taken).toBeUndefined()
    expect(replaced).toEqual([['kept', '', 'https://hub.test/a']])
  })
})

describe('messages of the login frame', () => {
  const origin = 'https://auth.test'
  const source = {} as Window // only its identity counts
  const login = {name: 'login', data: {access_token: 'a', refresh_token: 'r', expires_in: 900}}
  const say = (data: unknown, init: object = {}) =>
    window.dispatchEvent(Object.assign(new Event('message'), {data, origin, source, ...init}))
  const listen = (state?: string) => {
    const seen: unknown[] = []
    const subscription = loginMessages$({origin, source: () => source, state}).subscribe((message) =>
      seen.push(message),
    )
    return {seen, subscription}
  }

  test('login and show_qr', () => {
    const {seen, subscription} = listen()
    const qr = {name: 'show_qr', data: {qrLink: 'https://auth.test/x'}}
    say(login)
    say(qr)
    subscription.unsubscribe()
    say(login)
    expect(seen).toEqual([login, qr])
  })

  test.each<[string, unknown, object?]>([
    ['another origin', login, {origin: 'https://evil.test'}],
    ['an origin that only starts like ours', login, {origin: 'https://auth.test.evil.test'}],
    ['no origin', login, {origin: 'null'}],
    ['another window', login, {source: {}}],
    ['no window', login, {source: null}],
    ['no object', 'login'],
    ['nothing', null],
    ['another name', {...login, name: 'logout'}],
    ['no token', {name: 'login', data: {refresh_token: 'r', expires_in: 900}}],
    ['an empty token', {name: 'login', data: {access_token: '', refresh_token: 'r', expires_in: 900}}],
    ['a token that is no text', {name: 'login', data: {access_token: {}, refresh_token: 'r', expires_in: 900}}],
    ['an endless link', {name: 'show_qr', data: {qrLink: 'x'.repeat(65_537)}}],
  ])('%s does not exist', (_, data, init) => {
    const {seen, subscription} = listen()
    say(data, init)
    subscription.unsubscribe()
    expect(seen).toEqual([])
  })

  test.each([0, Number.POSITIVE_INFINITY, 'soon', undefined])('a life of %j does not fail the sign-in', (life) => {
    const {seen, subscription} = listen()
    say({name: 'login', data: {access_token: 'a', refresh_token: 'r', expires_in: life}})
    subscription.unsubscribe()
    expect(seen).toEqual([{name: 'login', data: {access_token: 'a', refresh_token: 'r', expires_in: undefined}}])
  })

  test('with a state only that attempt counts', () => {
    const {seen, subscription} = listen('s-1')
    say(login)
    say({...login, state: 's-2'})
    say({...login, state: 's-1'})
    subscription.unsubscribe()
    expect(seen).toEqual([{...login, state: 's-1'}])
  })

  test('a frame that is gone says nothing', () => {
    const seen = vi.fn()
    const subscription = loginMessages$({origin, source: () => undefined}).subscribe(seen)
    say(login, {source: undefined})
    say(login, {source: null})
    subscription.unsubscribe()
    expect(seen).not.toHaveBeenCalled()
  })
})

test('a fingerprint is made once', () => {
  const createId = vi.fn(() => 'b7c0a1de-0000-4000-8000-000000000000')
  const made = fingerprintOf(undefined, createId)
  expect(fingerprintOf(made, createId)).toBe(made)
  expect(createId).toHaveBeenCalledOnce()
  for (const stored of [5, '', 'short', 'a b c d e f g h i j', 'x'.repeat(129), {}])
    expect(fingerprintOf(stored, createId)).toBe(made)
})

describe('trusted types', () => {
  const origin = 'https://hub.test'

  test.each([
    ['/assets/worker-abc.js', true],
    ['https://hub.test/assets/a.js', true],
    ['/sw.js', true],
    ['/other.js', false],
    ['/assets/../files/evil.js', false],
    ['//evil.test/assets/a.js', false],
    ['https://evil.test/assets/a.js', false],
    ['data:text/javascript,alert(1)', false],
    ['blob:https://hub.test/assets/x', false],
    ['http://[', false],
  ])('%s: %s', (url, isAllowed) => {
    const {scriptUrl} = installTrustedTypes(undefined, origin)
    if (isAllowed) expect(scriptUrl(url)).toBe(url)
    else expect(() => scriptUrl(url)).toThrow(TypeError)
  })

  test('one policy, named app, with script URLs only', () => {
    const createPolicy = vi.fn((_name: string, rules: {createScriptURL(url: string): string}) => ({
      createScriptURL: (url: string) => `trusted ${rules.createScriptURL(url)}`,
    }))
    const {scriptUrl} = installTrustedTypes({createPolicy}, origin)
    expect(createPolicy.mock.calls.map(([name, rules]) => [name, Object.keys(rules)])).toEqual([
      ['app', ['createScriptURL']],
    ])
    expect(scriptUrl('/sw.js')).toBe('trusted /sw.js')
    expect(() => scriptUrl('//evil.test/sw.js')).toThrow(TypeError)
  })
})
