import {describe, expect, test} from 'vitest'
import {createCookieJar} from '#browser/cookies.ts'

/** Remembers the last write; a browser's jar would hide the attributes. */
const setUp = (
  cookie = '',
  {protocol = 'https:', hostname = 'hub.foo.test', domain = undefined as string | undefined} = {},
) => {
  const page = {cookie}
  return {page, jar: createCookieJar({page, address: {protocol, hostname}, domain})}
}

describe('writing', () => {
  test('the inviter for seven days', () => {
    const {page, jar} = setUp()
    jar.writeInviter('u-1_A')
    expect(page.cookie).toBe('INVITER_ID=u-1_A; Path=/; SameSite=Lax; Max-Age=604800; Secure')
  })

  test('theme and language for the session', () => {
    const {page, jar} = setUp()
    jar.writeTheme('dark')
    expect(page.cookie).toBe('THEME=dark; Path=/; SameSite=Lax; Secure')
    jar.writeLocale('zh-TW')
    expect(page.cookie).toBe('LOCALE=zh-TW; Path=/; SameSite=Lax; Secure')
  })

  test('no theme removes the cookie', () => {
    const {page, jar} = setUp()
    jar.writeTheme(undefined)
    expect(page.cookie).toBe('THEME=; Path=/; SameSite=Lax; Max-Age=0; Secure')
  })

  test.each(['', 'a'.repeat(65), 'a b', 'a;Domain=evil.test', 'a\r\nb', 'é'])('an inviter %j is not written', (id) => {
    const {page, jar} = setUp('before')
    jar.writeInviter(id)
    expect(page.cookie).toBe('before')
  })

  test('other values are not written', () => {
    const {page, jar} = setUp('before')
    jar.writeTheme('blue' as 'dark')
    jar.writeLocale('xx; Domain=evil.test' as 'en')
    expect(page.cookie).toBe('before')
  })

  test('Secure on https only', () => {
    const {page, jar} = setUp('', {protocol: 'http:'})
    jar.writeTheme('light')
    expect(page.cookie).toBe('THEME=light; Path=/; SameSite=Lax')
  })

  test.each([
    ['.foo.test', 'hub.foo.test', '; Domain=.foo.test'],
    ['foo.test', 'foo.test', '; Domain=foo.test'],
    ['.foo.test', 'hub.barfoo.test', ''],
    ['.', 'hub.foo.test', ''],
    [undefined, 'hub.foo.test', ''],
  ])('domain %s on %s', (domain, hostname, written) => {
    const {page, jar} = setUp('', {domain, hostname})
    jar.writeTheme('dark')
    expect(page.cookie).toBe(`THEME=dark; Path=/; SameSite=Lax${written}; Secure`)
  })
})

describe('reading', () => {
  test('valid values', () => {
    expect(setUp('foo=1; INVITER_ID=u-1; THEME=light; LOCALE=zh-TW').jar.read()).toEqual({
      inviterId: 'u-1',
      theme: 'light',
      locale: 'zh-TW',
    })
  })

  test('a language in another writing is normalised', () => {
    expect(setUp('LOCALE=pt_BR').jar.read()).toEqual({locale: 'pt'})
  })

  test.each([
    '',
    ';',
    'INVITER_ID=a b; THEME=blue',
    'INVITER_ID; THEME',
    'LOCALE=',
    'XINVITER_ID=u-1',
    'INVITER_ID=<script>',
  ])('%j has none', (cookie) => {
    expect(setUp(cookie).jar.read()).toEqual({})
  })
})

test('in a browser: written and read again', () => {
  const jar = createCookieJar({
    page: document,
    address: {protocol: 'http:', hostname: location.hostname},
    domain: undefined,
  })
  jar.writeTheme('light')
  jar.writeInviter('u-1')
  expect(jar.read()).toEqual({theme: 'light', inviterId: 'u-1'})
  jar.writeTheme(undefined)
  expect(jar.read()).toEqual({inviterId: 'u-1'})
})
