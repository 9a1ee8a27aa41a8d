import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import {languageNames} from '#server/http/language.ts'
import {sites} from '#server/store/schema/platform.ts'
import {callback, createAuthServer, createBrowser, loginPath, password, query, registerPath} from './auth-support.ts'
import {testOrigin, type TestServer} from './harness.ts'
import {flat} from './flat-page.ts'
import {long} from '../long.ts'

let server: TestServer
let email: string
beforeAll(async () => {
  server = await createAuthServer()
})
beforeEach(async () => {
  ;({email} = (await server.createUser({password, role: 'member'})).user)
})
afterAll(() => server.close())

const hasEveryWord = async (lang: string) => {
  const browser = createBrowser(server)
  const pages = [
    await browser.open(`${loginPath}${query({redirect: callback, lang})}`),
    await browser.submit(`${registerPath}${query({redirect: callback, lang})}`, {email: 'x', password: 'x'}),
    await browser.open(`${loginPath}${query({redirect: 'https://evil.example/auth/callback', lang})}`),
    await browser.submit(`${loginPath}${query({parent_origin: testOrigin, lang})}`, {
      email,
      password,
    }),
  ]
  expect(pages.map(({status}) => status)).toEqual([200, 400, 400, 200])
  for (const response of pages) {
    const text = flat(await response.text())
    expect(text).toContain(`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"`)
    expect(text).not.toMatch(/\buser\.\w+|\{\w+\}|undefined|\[object/)
  }
}
const usual = ['en', 'ar', 'el']
test.each(usual)('%s: every page without a raw key', hasEveryWord)
const others = Object.keys(languageNames).filter((lang) => !usual.includes(lang))
test.each(others)('%s: every page without a raw key', long, hasEveryWord)

test('query, then cookie, then the browser, then English', async () => {
  const languageOf = async (lang: string | undefined, headers: Record<string, string>) =>
    /<html\s+lang="([^"]+)"/.exec(
      await (await createBrowser(server).open(`${loginPath}${query({redirect: callback, lang})}`, headers)).text(),
    )?.[1]
  expect(await languageOf('de', {cookie: 'LOCALE=fr', 'accept-language': 'it'})).toBe('de')
  expect(await languageOf('xx', {cookie: 'LOCALE=fr', 'accept-language': 'it'})).toBe('fr')
  expect(await languageOf(undefined, {'accept-language': 'en;q=0.2, zh-Hant-HK;q=0.9, xx'})).toBe('zh-TW')
  expect(await languageOf(undefined, {'accept-language': 'pt-BR,pt;q=0.9'})).toBe('pt')
  expect(await languageOf(undefined, {'accept-language': `${','.repeat(5000)};q=,;;;`})).toBe('en')
  expect(await languageOf('__proto__', {cookie: 'LOCALE=constructor'})).toBe('en')
})

test('theme by query, then cookie, else the system’s', async () => {
  const themeOf = async (theme: string | undefined, cookie: string) =>
    /<html[^>]* data-theme="(\w+)"/.exec(
      await (await createBrowser(server).open(`${loginPath}${query({redirect: callback, theme})}`, {cookie})).text(),
    )?.[1]
  expect(await themeOf('light', 'THEME=dark')).toBe('light')
  expect(await themeOf(undefined, 'THEME=dark')).toBe('dark')
  expect(await themeOf('pink', 'THEME=neon')).toBeUndefined()
})

test.each([
  ['a file of ours', `${testOrigin}/services/platform/api/v1/files/aaaaaaaaaaaaaaaaaaaaaa/logo.png`, true],
  ['a file of the page', '/icon-192.png', true],
  ['a file elsewhere', 'https://evil.example/logo.png', false],
  ['what is no address', 'javascript:alert(1)', false],
])('the logo of the site, if it is %s, and no other address', async (_, logo, isShown) => {
  const origin = `https://logo-${logo.length}.example`
  await server.deps.database.asSystem((transaction) => transaction.insert(sites).values({origin, title: 'Foo', logo}))
  const response = await createBrowser(server).open(`${loginPath}${query({redirect: callback, site: origin})}`)
  const text = await response.text()
  const shown = logo.startsWith('/') ? testOrigin + logo : logo
  expect(text.includes(`<img src="${shown}"`)).toBe(isShown)
  const images = /img-src ([^;]*)/.exec(response.headers.get('content-security-policy') ?? '')?.[1]
  expect(images).toBe(isShown ? `'self' data: ${testOrigin}` : 'data:')
  expect(text).not.toContain('evil.example')
})

test('what strangers write is text', async () => {
  const origin = 'https://hostile.example'
  const title = `</title><script>alert(1)</script>"'&`
  await server.deps.database.asSystem((transaction) =>
    transaction.insert(sites).values({origin, title, accent: {hue: 1e9, chroma: 99}}),
  )
  const mail = `"><img src=x onerror=alert(1)>@example.com`
  const response = await createBrowser(server).submit(
    `${loginPath}${query({redirect: callback, site: origin, inviter_id: '"><script>', lang: '"><b>'})}`,
    {
      email: mail,
      password,
    },
  )
  const text = await response.text()
  expect(text).toContain('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
  expect(text).not.toContain('<script>alert')
  expect(text).not.toContain('<img')
  expect(text).not.toContain('"><b>')
  expect(text).toContain('--accent-h: 280; --accent-c: 0.215')
})
