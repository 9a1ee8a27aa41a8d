import {describe, expect, test} from 'vitest'
import {currencyOf, currencySymbols, rateKey, rateTo} from '#domain/currency.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {dateSubdomain} from '#domain/date-subdomain.ts'
import {imageExtensions, isImageUrl} from '#domain/image-extensions.ts'
import {inviterOf, toInviterId} from '#domain/inviter-order.ts'
import {directionOf, isLocale, locales, toLocale, toTheme} from '#domain/locale.ts'
import {formatMoney} from '#domain/money.ts'
import {serviceBases} from '#domain/service-bases.ts'
import {siteOrigin} from '#domain/site-origin.ts'

describe('languages', () => {
  test('the 18 of the specification', () => {
    expect(locales.join(' ')).toBe('en de pt es fr zh-CN zh-TW it ko ja ru pl fi sv el uk ar sr')
  })
  test.each([
    ['en', 'en'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['pt_BR', 'pt'],
    ['zh-cn', 'zh-CN'],
    ['zh_TW', 'zh-TW'],
    ['zh', 'zh-CN'],
    ['zh-Hant', 'zh-TW'],
    ['zh-Hant-HK', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh-Hans-TW', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['sr-Latn-RS', 'sr'],
    ['sr@latin', 'sr'],
    ['en.UTF-8', 'en'],
    [' fr ', 'fr'],
    ['nl', 'en'],
    ['constructor', 'en'],
    ['__proto__', 'en'],
    ['', 'en'],
    ['-', 'en'],
    ['x'.repeat(10_000), 'en'],
    [undefined, 'en'],
    [null, 'en'],
    [7, 'en'],
    [['de'], 'en'],
  ])('%s is read as %s', (text, locale) => expect(toLocale(text)).toBe(locale))
  test('a language read is a language', () => {
    for (const locale of locales) expect(toLocale(locale)).toBe(locale)
    expect(isLocale('nl')).toBe(false)
  })
  test('only arabic runs from right to left', () => {
    expect(locales.filter((locale) => directionOf(locale) === 'rtl')).toEqual(['ar'])
  })
  test.each([
    ['dark', 'dark'],
    ['light', 'light'],
    ['DARK', undefined],
    [undefined, undefined],
  ])('theme %s is %s', (text, theme) => expect(toTheme(text)).toBe(theme))
})

describe('currencies', () => {
  test('each language has the one of the specification', () => {
    expect(locales.map((locale) => `${locale} ${currencyOf(locale)}`)).toEqual([
      'en usd',
      'de eur',
      'pt eur',
      'es eur',
      'fr eur',
      'zh-CN cny',
      'zh-TW cny',
      'it eur',
      'ko krw',
      'ja jpy',
      'ru rub',
      'pl pln',
      'fi eur',
      'sv sek',
      'el eur',
      'uk uah',
      'ar sar',
      'sr rsd',
    ])
  })
  test('anything else is dollars', () => expect([currencyOf('nl'), currencyOf(undefined)]).toEqual(['usd', 'usd']))
  test('symbols, with the pound', () => {
    expect(currencySymbols).toEqual({
      usd: '$',
      cny: '￥',
      eur: '€',
      jpy: '¥',
      krw: '₩',
      gbp: '£',
      rub: '₽',
      pln: 'zł',
      sek: 'kr',
      uah: '₴',
      sar: '﷼',
      rsd: 'din',
    })
  })
  test('rates are keyed source-target; equal currencies need none', () => {
    expect(rateKey('usd', 'eur')).toBe('usd-eur')
    expect(rateTo({}, 'usd')).toBe(1)
    expect(rateTo({'usd-eur': 0.9}, 'eur')).toBe(0.9)
    expect(rateTo({'eur-usd': 1.1}, 'eur')).toBeUndefined()
  })
})

test.each<[number, Parameters<typeof formatMoney>[1], number | undefined, string, string]>([
  [1, 'usd', 1, 'en', '$1.00'],
  [1.005, 'eur', 2, 'en', '€2.01'],
  [1234.5, 'jpy', 150, 'ja', '¥185,175.00'],
  [1234.5, 'eur', 1, 'de', '€1.234,50'],
  [12_345.6, 'pln', 1, 'pl', 'zł12\u00a0345,60'],
  [1234.5, 'sar', 1, 'ar', '﷼1,234.50'],
  [5, 'eur', undefined, 'en', '$5.00'],
  [5, 'eur', Number.NaN, 'en', '$5.00'],
  [-1234.5, 'usd', 1, 'en', '-$1,234.50'],
  [-0.5, 'sek', 1, 'sv', '−kr0,50'],
  [-0.001, 'usd', 1, 'en', '$0.00'],
  [Number.NaN, 'usd', 1, 'en', ''],
  [Number.POSITIVE_INFINITY, 'usd', 1, 'en', ''],
])('%d in %s at %s in %s is %s', (usd, currency, rate, locale, text) =>
  expect(formatMoney(usd, currency, rate, locale)).toBe(text),
)

test('times read year-month-day hours:minutes:seconds', () => {
  expect(formatDateTime(new Date(2026, 0, 2, 3, 4, 5))).toBe('2026-01-02 03:04:05')
  expect(formatDateTime(new Date(2026, 10, 20, 23, 59, 59))).toBe('2026-11-20 23:59:59')
  expect(formatDateTime('foo')).toBe('')
})

describe('images by extension', () => {
  test('those of the specification', () => {
    expect(imageExtensions.join(' ')).toBe('jpg jpeg png gif bmp webp svg tiff ico heic')
  })
  test.each([
    ['foo.png', true],
    ['FOO.JPEG', true],
    ['https://foo.test/a/b.webp?x=1#y', true],
    ['https://foo.test/a.png/b', false],
    ['https://foo.test/a?file=b.png', false],
    ['foo.pdf', false],
    ['foo.hei', false],
    ['png', false],
    ['', false],
  ])('%s: %s', (name, expected) => expect(isImageUrl(name)).toBe(expected))
})

describe('the inviter', () => {
  const facts = {forced: 'a', query: 'b', cookie: 'c', fallback: 'd'}
  test.each([
    [facts, 'a'],
    [{...facts, forced: undefined}, 'b'],
    [{...facts, forced: null, query: ''}, 'c'],
    [{fallback: 'd'}, 'd'],
    [{}, undefined],
    [{...facts, forced: 'not an id'}, 'b'],
  ])('%o: %s', (known, expected) => expect(inviterOf(known)).toBe(expected))
  test.each(['a b', 'a'.repeat(65), 'a;b', '<script>', ''])('%s is no id', (text) =>
    expect(toInviterId(text)).toBeUndefined(),
  )
})

describe('services', () => {
  test('the test form for exactly the test hub', () => {
    expect(serviceBases('https://hub-test.acedata.cloud').api).toBe('https://api-test.acedata.cloud')
    for (const origin of [
      'https://hub.acedata.cloud',
      'https://hub-test.acedata.cloud.evil.test',
      'http://hub-test.acedata.cloud',
      'http://localhost',
    ])
      expect(serviceBases(origin).api).toBe('https://api.acedata.cloud')
  })

  const wechat = 'Mozilla/5.0 MicroMessenger/8'
  const beforeMidnight = new Date('2026-01-02T23:30:00-05:00')
  test.each([
    [
      'https://hub.acedata.cloud/chatgpt?a=b&code=foo&state=bar#c',
      wechat,
      'https://20260103.hub.acedata.cloud/chatgpt?a=b#c',
    ],
    ['https://hub-test.acedata.cloud/', wechat, 'https://20260103.hub-test.acedata.cloud/'],
    ['https://hub.acedata.cloud/', 'Mozilla/5.0', undefined],
    ['https://20260103.hub.acedata.cloud/', wechat, undefined],
    ['https://hub.acedata.cloud.evil.test/', wechat, undefined],
    ['http://localhost:4000/', wechat, undefined],
  ])('dated sub-domain of %s', (href, agent, expected) =>
    expect(dateSubdomain(href, agent, beforeMidnight)).toBe(expected),
  )
})

describe('the origin of a site', () => {
  const facts = {
    stored: undefined,
    page: 'https://foo.test',
    hub: undefined,
    placeholder: undefined,
    createId: () => 'id',
  }
  test.each([
    ['the page', facts, 'https://foo.test'],
    ['the stored one', {...facts, stored: 'https://bar.test'}, 'https://bar.test'],
    ['a configured hub', {...facts, hub: 'https://hub.test/'}, 'https://hub.test'],
    ['localhost: random', {...facts, page: 'http://localhost:4000'}, 'http://localhost-id'],
    [
      'localhost: kept',
      {...facts, page: 'http://localhost:4000', stored: 'http://localhost-old'},
      'http://localhost-old',
    ],
    [
      "localhost: the installation's",
      {...facts, page: 'http://127.0.0.1:4000', placeholder: 'http://localhost-x'},
      'http://localhost-x',
    ],
    ['a host that only looks local', {...facts, page: 'https://localhost.evil.test'}, 'https://localhost.evil.test'],
  ])('%s', (_, known, expected) => expect(siteOrigin(known)).toBe(expected))
})
