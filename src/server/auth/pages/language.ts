import {createIntl, createIntlCache, type IntlShape} from '@formatjs/intl'
import {messageLoaders} from 'virtual:message-loaders'

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

const traditionalChinese = /^zh-(?:hant|tw|hk|mo)\b/

/** The supported language nearest to a tag, or `undefined` when none is near. */
function nearestLanguage(tag: string | undefined): string | undefined {
  const text = tag?.trim().replaceAll('_', '-').toLowerCase() ?? ''
  const exact = Object.keys(languageNames).find((name) => name.toLowerCase() === text)
  if (exact) return exact
  if (traditionalChinese.test(text)) return 'zh-TW'
  const [language] = text.split('-')
  if (language === 'zh') return 'zh-CN'
  return language !== undefined && Object.hasOwn(languageNames, language) ? language : undefined
}

/** Tags of an Accept-Language header, best first; at most 20 are read. */
const acceptedLanguages = (header: string | undefined): string[] =>
  (header ?? '')
    .slice(0, 1000)
    .split(',', 20)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return {tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality)}
    })
    .filter(({tag, quality}) => tag !== '' && quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({tag}) => tag)

/** Query, then cookie, then what the browser asks for, then English. Never throws (security R70). */
export function chooseLanguage(wishes: {query?: string; cookie?: string; header?: string}): string {
  const tags = [wishes.query, wishes.cookie, ...acceptedLanguages(wishes.header)]
  for (const tag of tags) {
    const language = nearestLanguage(tag)
    if (language) return language
  }
  return 'en'
}

const loaded = new Map<string, Promise<IntlShape>>()

/** Messages of one language, loaded once. */
export function loadLanguage(locale: string): Promise<IntlShape> {
  const known = loaded.get(locale)
  if (known) return known
  const loader = messageLoaders[locale]
  if (!loader) throw new Error(`There is no language "${locale}".`)
  const loading = loader().then(({default: messages}) =>
    createIntl(
      {
        locale,
        messages,
        onError: (error) => {
          throw error
        },
      },
      createIntlCache(),
    ),
  )
  // a failed load is tried again by the next page
  loading.catch(() => loaded.delete(locale))
  loaded.set(locale, loading)
  return loading
}

export const directionOf = (locale: string): 'rtl' | 'ltr' => (locale === 'ar' ? 'rtl' : 'ltr')
