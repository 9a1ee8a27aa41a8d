import {toLocale, type Locale} from './locale.ts'

/** Currencies with their symbols (spec §9, contract/platform §5); no language maps to gbp. */
export const currencySymbols = {
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
} as const
export type Currency = keyof typeof currencySymbols
export const defaultCurrency: Currency = 'usd'

const currencyByLocale: Record<Locale, Currency> = {
  'zh-CN': 'cny',
  'zh-TW': 'cny',
  en: 'usd',
  de: 'eur',
  pt: 'eur',
  es: 'eur',
  fr: 'eur',
  it: 'eur',
  fi: 'eur',
  el: 'eur',
  ko: 'krw',
  ja: 'jpy',
  ru: 'rub',
  pl: 'pln',
  sv: 'sek',
  uk: 'uah',
  ar: 'sar',
  sr: 'rsd',
}

/** The currency of a language; unknown text counts as the default language. */
export const currencyOf = (locale: unknown): Currency => currencyByLocale[toLocale(locale)]

/** Key of a rate in the state (spec §3): `source-target`. */
export const rateKey = (source: string, target: string) => `${source}-${target}`

/** Known rates from usd. */
export type Rates = Readonly<Record<string, number>>

/** The rate from usd; undefined while unknown. Equal currencies need none (spec §5). */
export const rateTo = (rates: Rates, target: Currency) =>
  target === defaultCurrency ? 1 : rates[rateKey(defaultCurrency, target)]
