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
  subscribe: (listener: () => void) => () => void
}

const fallback = 'en'

/** Loads one language at a time. A language that cannot be loaded leaves the one on screen, else it is English. */
export function createMessageStore(
  loaders: MessageLoaders,
  log: (message: string, error: unknown) => void,
): MessageStore {
  const listeners = new Set<() => void>()
  let current: LoadedLanguage | undefined
  let wanted: string | undefined

  const show = (next: LoadedLanguage) => {
    current = next
    for (const listener of listeners) listener()
  }
  const read = async (locale: string): Promise<LoadedLanguage | undefined> => {
    const loader = loaders[locale]
    try {
      if (loader === undefined) throw new Error(`"${locale}" is not a language of the interface`)
      return {locale, messages: (await loader()).default}
    } catch (error) {
      log(`The messages of "${locale}" could not be loaded`, error)
      return undefined
    }
  }
  return {
    get: () => current,
    load: async (locale) => {
      wanted = locale
      if (current?.locale === locale) return
      const loaded = await read(locale)
      if (wanted !== locale) return // a newer choice decides
      if (loaded !== undefined) return show(loaded)
      if (current !== undefined) return
      const english = locale === fallback ? undefined : await read(fallback)
      show(english ?? {locale: fallback, messages: {}})
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
