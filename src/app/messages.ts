import {type MessageFormatElement} from '@formatjs/icu-messageformat-parser'
import {loadPart as loadFile} from '#ui/load-part.ts'

/** One compiled language: message id → syntax tree. */
export type Messages = Record<string, MessageFormatElement[]>
export type MessageLoaders = Record<string, () => Promise<{default: Messages}>>
/** Words that only some screens show (`laterParts` of src/tools/locales.mjs), or only that of the media tool of this id. */
export type MessagePart = 'media' | 'account' | 'thread' | (string & {})
export type PartLoaders = Partial<Record<MessagePart, (locale: string) => Promise<{default: Messages}>>>
export type LoadedLanguage = {locale: string; messages: Messages}

/** The language the interface is shown in; follows the newest request that succeeded. */
export type MessageStore = {
  get: () => LoadedLanguage | undefined
  /** Resolves when the language, or what it fell back to, is there. Never rejects: a failure is only logged (spec §8). */
  load: (locale: string) => Promise<void>
  /** Also what only these screens show, from now on in every language. Resolves and fails as `load`. */
  loadPart: (part: MessagePart) => Promise<void>
  subscribe: (listener: () => void) => () => void
}

const fallback = 'en'

/**
 * Loads one language at a time; what of it only some screens show from their first `loadPart` on. A language that cannot
 * be loaded leaves the one on screen, else it is English.
 */
export function createMessageStore(
  loaders: MessageLoaders,
  log: (message: string, error: unknown) => void,
  partLoaders: PartLoaders = {},
): MessageStore {
  const listeners = new Set<() => void>()
  let current: LoadedLanguage | undefined
  let wanted = fallback
  let wantedParts: readonly MessagePart[] = []
  let shownParts = wantedParts

  const read = async (locale: string): Promise<LoadedLanguage | undefined> => {
    const loader = loaders[locale]
    try {
      if (loader === undefined) throw new Error(`"${locale}" is not a language of the interface`)
      const files = await loadFile(() =>
        Promise.all([loader(), ...wantedParts.map((part) => partLoaders[part]?.(locale))]),
      )
      const messages: Messages = {}
      for (const file of files) Object.assign(messages, file?.default)
      return {locale, messages}
    } catch (error) {
      log(`The messages of "${locale}" could not be loaded`, error)
      return undefined
    }
  }
  const load = async (locale: string) => {
    wanted = locale
    const withParts = wantedParts
    if (current?.locale === locale && shownParts === withParts) return
    const loaded = await read(locale)
    if (wanted !== locale || wantedParts !== withParts) return // a newer choice decides
    if (loaded === undefined && current !== undefined) return
    if (loaded !== undefined) shownParts = withParts
    current = loaded ?? (locale === fallback ? undefined : await read(fallback)) ?? {locale: fallback, messages: {}}
    for (const listener of listeners) listener()
  }
  return {
    get: () => current,
    load,
    loadPart: (part) => {
      if (!wantedParts.includes(part)) wantedParts = [...wantedParts, part]
      return load(wanted)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
