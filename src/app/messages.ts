import {type MessageFormatElement} from '@formatjs/icu-messageformat-parser'

/** One compiled language: message id → syntax tree. */
export type Messages = Record<string, MessageFormatElement[]>
export type MessageLoaders = Record<string, () => Promise<{default: Messages}>>
export type LoadedLanguage = {locale: string; messages: Messages}

/** The language the interface is shown in; follows the newest request that succeeded. */
export type MessageStore = {
  get: () => LoadedLanguage | undefined
  /** Resolves when the language, or what it fell back to, is there. Never rejects: a failure is only logged (spec §8). */
  load: (locale: string) => Promise<void>
  /** Also what only the media tools show, from now on in every language. Resolves and fails as `load`. */
  loadMedia: () => Promise<void>
  subscribe: (listener: () => void) => () => void
}

const fallback = 'en'

/**
 * Loads one language at a time; what of it only the media tools show from the first `loadMedia` on. A language that cannot
 * be loaded leaves the one on screen, else it is English.
 */
export function createMessageStore(
  loaders: MessageLoaders,
  log: (message: string, error: unknown) => void,
  mediaLoaders: MessageLoaders = {},
): MessageStore {
  const listeners = new Set<() => void>()
  let current: LoadedLanguage | undefined
  let wanted = fallback
  let wantsMedia = false
  let hasMedia = false

  const read = async (locale: string): Promise<LoadedLanguage | undefined> => {
    const loader = loaders[locale]
    try {
      if (loader === undefined) throw new Error(`"${locale}" is not a language of the interface`)
      const parts = await Promise.all([loader(), wantsMedia ? mediaLoaders[locale]?.() : undefined])
      return {locale, messages: {...parts[0].default, ...parts[1]?.default}}
    } catch (error) {
      log(`The messages of "${locale}" could not be loaded`, error)
      return undefined
    }
  }
  const load = async (locale: string) => {
    wanted = locale
    const withMedia = wantsMedia
    if (current?.locale === locale && hasMedia === withMedia) return
    const loaded = await read(locale)
    if (wanted !== locale || wantsMedia !== withMedia) return // a newer choice decides
    if (loaded === undefined && current !== undefined) return
    hasMedia = withMedia && loaded !== undefined
    current = loaded ?? (locale === fallback ? undefined : await read(fallback)) ?? {locale: fallback, messages: {}}
    for (const listener of listeners) listener()
  }
  return {
    get: () => current,
    load,
    loadMedia: () => {
      wantsMedia = true
      return load(wanted)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
