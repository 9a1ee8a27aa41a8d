/** The interface languages (spec §9), in its order. */
export const locales = [
  'en',
  'de',
  'pt',
  'es',
  'fr',
  'zh-CN',
  'zh-TW',
  'it',
  'ko',
  'ja',
  'ru',
  'pl',
  'fi',
  'sv',
  'el',
  'uk',
  'ar',
  'sr',
] as const
export type Locale = (typeof locales)[number]
export const defaultLocale: Locale = 'en'

// as: `includes` takes only what may be in the list
export const isLocale = (text: string): text is Locale => (locales as readonly string[]).includes(text)

/** Chinese has two forms here: script or region decides, simplified by default. */
function chinese(subtags: readonly string[]): Locale {
  const traditional = ['hant', 'tw', 'hk', 'mo']
  return subtags.some((subtag) => traditional.includes(subtag)) && !subtags.includes('hans') ? 'zh-TW' : 'zh-CN'
}

/**
 * The nearest of the 18 languages: the exact tag in any case and with any separator, else its language. Never throws
 * (security R70).
 */
export function nearestLocale(text: unknown): Locale | undefined {
  if (typeof text !== 'string' || text.length > 64) return undefined
  const subtags = text
    .trim()
    .toLowerCase()
    .split(/[-_.@]/)
  const exact = locales.find((locale) => locale.toLowerCase() === subtags.join('-'))
  if (exact !== undefined) return exact
  const language = subtags[0] ?? ''
  if (language === 'zh') return chinese(subtags)
  return isLocale(language) ? language : undefined
}

/** Any text as one of the 18 languages (contract/startup-auth §3): the nearest, else English. */
export const toLocale = (text: unknown): Locale => nearestLocale(text) ?? defaultLocale

const themes = ['dark', 'light'] as const
export type Theme = (typeof themes)[number]
export const toTheme = (text: unknown): Theme | undefined => themes.find((theme) => theme === text)

/** Right-to-left languages of the interface. */
export const directionOf = (locale: string) => (locale === 'ar' ? 'rtl' : 'ltr')
