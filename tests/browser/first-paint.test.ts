import {readFileSync} from 'node:fs'
import {runInNewContext} from 'node:vm'
import {expect, test, vi} from 'vitest'
import {createCookieJar, type CookieValues} from '#browser/cookies.ts'
import type {PersistedState} from '#domain/persisted-state.ts'
import {directionOf, type Theme} from '#domain/locale.ts'
import {initialPreferences} from '#app/logic/preferences.logic.ts'

type World = {query?: string; cookies?: CookieValues; stored?: Partial<PersistedState>; system?: Theme}

const paint = ({query = '', cookies = {}, stored = {}, system = 'light'}: World) => {
  const {theme, followsSystem} = initialPreferences({
    address: () => new URL(`https://foo.example/${query}`),
    cookies: {read: () => cookies},
    state: {read: () => stored},
    page: {systemTheme: () => system},
    language: 'en',
  })
  return {theme, followsSystem}
}

test.each<[string, World, ReturnType<typeof paint>]>([
  ['nothing known: the system', {system: 'dark'}, {theme: 'dark', followsSystem: true}],
  ['the cookie', {cookies: {theme: 'dark'}}, {theme: 'dark', followsSystem: false}],
  [
    'the address before the cookie',
    {query: '?theme=light', cookies: {theme: 'dark'}},
    {theme: 'light', followsSystem: false},
  ],
  [
    'following the system, whose theme changed since',
    {cookies: {theme: 'light'}, stored: {dark: false, setting: {followsSystem: true}}, system: 'dark'},
    {theme: 'dark', followsSystem: true},
  ],
  [
    'a cookie that another page wrote since',
    {cookies: {theme: 'dark'}, stored: {dark: false, setting: {followsSystem: true}}},
    {theme: 'dark', followsSystem: false},
  ],
  [
    'the browser was closed since, which ended the cookie',
    {stored: {dark: true, setting: {followsSystem: true}}},
    {theme: 'light', followsSystem: true},
  ],
])('the theme of the first paint: %s', (_, world, expected) => {
  expect(paint(world)).toEqual(expected)
})

const script = /<script id="boot">([^]*?)<\/script>/.exec(readFileSync('index.html', 'utf8'))?.[1] ?? ''

/** Returns the attributes that the script in the page sets before anything is loaded. */
function boot(query: string, cookie: string, language: string, system: Theme) {
  const attributes: Record<string, string> = {}
  const setAttribute = (name: string, value: string) => void (attributes[name] = value)
  runInNewContext(script, {
    URLSearchParams,
    location: {search: query, pathname: '/chatgpt'},
    navigator: {language},
    document: {cookie, documentElement: {setAttribute}, querySelector: () => ({setAttribute: () => undefined})},
    window: {matchMedia: true},
    matchMedia: () => ({matches: system === 'light'}),
    localStorage: {getItem: () => null},
    addEventListener: () => undefined,
    setTimeout: () => undefined,
  })
  return {lang: attributes['lang'], dir: attributes['dir'], theme: attributes['data-theme']}
}

/** Returns the attributes that the app sets once it is there. */
function started(query: string, cookie: string, language: string, system: Theme) {
  const jar = createCookieJar({
    page: {cookie},
    address: {protocol: 'https:', hostname: 'foo.example'},
    domain: undefined,
  })
  const {locale, theme} = initialPreferences({
    address: () => new URL(`https://foo.example/${query}`),
    cookies: jar,
    state: {read: () => ({})},
    page: {systemTheme: () => system},
    language,
  })
  return {lang: locale, dir: directionOf(locale), theme}
}

test.each<[query: string, cookie: string, language: string, lang: string]>([
  ['', '', 'en-US', 'en'],
  ['', '', 'de-AT', 'de'],
  ['', '', 'tlh', 'en'],
  ['', '', 'zh-Hant-HK', 'zh-TW'],
  ['', '', 'zh-Hans-TW', 'zh-CN'],
  ['', 'LOCALE=fr', 'de', 'fr'],
  ['', 'LOCALE=tlh', 'de', 'en'],
  ['', 'LOCALE=', 'de', 'de'],
  ['', 'OTHER=1; LOCALE=ar; THEME=light', 'de', 'ar'],
  ['', 'XLOCALE=ar', 'de', 'de'],
  ['', 'LOCALE=de;LOCALE=fr', 'en', 'fr'],
  ['?lang=pt_BR.UTF-8', 'LOCALE=fr', 'de', 'pt'],
  ['?lang=sr@latin', 'LOCALE=fr', 'de', 'sr'],
  ['?lang=ZH-tw', '', 'de', 'zh-TW'],
  ['?lang=', 'LOCALE=fr', 'de', 'en'],
  ['?lang=tlh', 'LOCALE=fr', 'de', 'en'],
  ['?lang=%20it%20', '', 'de', 'it'],
  [`?lang=de${'-x'.repeat(40)}`, '', 'fr', 'en'],
  ['?theme=light&lang=ar', 'THEME=dark', 'de', 'ar'],
  ['?theme=blue', 'THEME=light', 'de', 'de'],
])('the page is painted in the language and theme it starts in: %s %s %s', (query, cookie, language, lang) => {
  for (const system of ['dark', 'light'] as const) {
    const painted = boot(query, cookie, language, system)
    expect(painted).toEqual(started(query, cookie, language, system))
    expect(painted.lang).toBe(lang)
  }
})

/** Returns the address and the field after the first script of a page that another app shares with. */
function share(query: string, pathname = '/chatgpt/conversations') {
  const address = vi.fn()
  const field = {value: '', focus: vi.fn()}
  const listeners: Record<string, () => void> = {}
  runInNewContext(script, {
    URLSearchParams,
    location: {search: query, pathname},
    history: {state: 'foo', replaceState: address},
    navigator: {language: 'en'},
    document: {
      cookie: '',
      documentElement: {setAttribute: () => undefined},
      querySelector: () => ({setAttribute: () => undefined}),
      getElementById: () => field,
    },
    window: {matchMedia: true},
    matchMedia: () => ({matches: true}),
    localStorage: {getItem: () => null},
    addEventListener: (name: string, listener: () => void) => (listeners[name] = listener),
    setTimeout: () => undefined,
  })
  const addresses = address.mock.calls
  for (const _ of ['interactive', 'complete']) listeners['readystatechange']?.()
  return {addresses, text: field.value}
}

const page = 'https://foo.example/a?b=1&c'
test.each<[parts: Record<string, string>, text: string]>([
  [{text: 'Foo bar'}, 'Foo bar'],
  [{title: 'Foo', text: 'Bar', url: page}, `Foo\nBar\n${page}`],
  [{title: 'Foo', text: `Foo: ${page}`, url: page}, `Foo: ${page}`],
  [{title: ' ', url: page}, page],
  [{text: '<img src=x onerror=alert(1)>\nنص'}, '<img src=x onerror=alert(1)>\nنص'],
])('the text that another app shares leaves the address and stands in the field: %j', (parts, text) => {
  const query = new URLSearchParams(Object.entries(parts).map(([name, value]) => [`shared-${name}`, value]))
  expect(share(`?${query}`)).toEqual({addresses: [['foo', '', '/chatgpt/conversations']], text})
})

test('an address without a shared text stays, and no other page takes one', () => {
  expect(share('?from=a&to=b%20c')).toEqual({addresses: [], text: ''})
  expect(share('?shared-text=foo', '/suno')).toEqual({addresses: [], text: ''})
})
