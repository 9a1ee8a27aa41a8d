import {createIntl, createIntlCache, type IntlShape} from '@formatjs/intl'
import {parseAccept} from 'hono/utils/accept'
import {parse as parseCookie} from 'hono/utils/cookie'
import type {MessageFormatElement} from '@formatjs/icu-messageformat-parser'
import {english, messageLoaders} from 'virtual:server-messages'
import {defaultLocale, nearestLocale, type Locale} from '#domain/locale.ts'

/** The languages of the page by their own names, in the order of the specification (spec §9). */
export const languageNames: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  pt: 'Português',
  es: 'Español',
  fr: 'Français',
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  it: 'Italiano',
  ko: '한국어',
  ja: '日本語',
  ru: 'Русский',
  pl: 'Polski',
  fi: 'Suomi',
  sv: 'Svenska',
  el: 'Ελληνικά',
  uk: 'Українська',
  ar: 'العربية',
  sr: 'Српски',
}

/** Tags of an Accept-Language header, best first; at most 20 are read. */
const acceptedLanguages = (header: string | undefined): string[] =>
  parseAccept((header ?? '').slice(0, 1000))
    .filter(({q}) => q > 0)
    .slice(0, 20)
    .map(({type}) => type)

/** Query, then cookie, then what the browser asks for, then English. Never throws (security R70). */
function chooseLanguage(wishes: {query?: string; cookie?: string; header?: string}): Locale {
  for (const tag of [wishes.query, wishes.cookie, ...acceptedLanguages(wishes.header)]) {
    const locale = nearestLocale(tag)
    if (locale !== undefined) return locale
  }
  return defaultLocale
}

/** The language of a request: `lang` of its address, the page's cookie, then `Accept-Language`. */
export const languageOf = (request: Request): Locale =>
  chooseLanguage({
    query: new URL(request.url).searchParams.get('lang') ?? undefined,
    cookie: parseCookie(request.headers.get('cookie') ?? '').LOCALE,
    header: request.headers.get('accept-language') ?? undefined,
  })

/** The headers that `languageOf` reads: another value of these is another page. */
export const languageHeaders = 'Cookie, Accept-Language'

const createLanguage = (locale: string, messages: Record<string, MessageFormatElement[]>): IntlShape =>
  createIntl(
    {
      locale,
      messages,
      onError: (error) => {
        throw error
      },
    },
    createIntlCache(),
  )

/** English is loaded at the start: the log and stored texts use it. */
export const inEnglish = createLanguage(defaultLocale, english)

const loadedLanguages = new Map<string, Promise<IntlShape>>([[defaultLocale, Promise.resolve(inEnglish)]])

/** Messages of one language, loaded once. */
export function loadLanguage(locale: string): Promise<IntlShape> {
  const language = loadedLanguages.get(locale)
  if (language) return language
  const loader = messageLoaders[locale]
  if (!loader) throw new Error(`There is no language "${locale}".`)
  const loading = loader().then(({default: messages}) => createLanguage(locale, messages))
  // a failed load is tried again by the next page
  loading.catch(() => loadedLanguages.delete(locale))
  loadedLanguages.set(locale, loading)
  return loading
}
