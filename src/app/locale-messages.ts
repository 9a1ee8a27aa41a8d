import {createValueStore} from '#browser/value-store.ts'
import {loadPart as loadFile} from '#ui/load-part.ts'
import type {CompiledMessages} from '#ui/message-format.ts'

type MessageFile = {default: CompiledMessages}
export type MessageLoaders = Record<string, () => Promise<MessageFile>>
/** Messages of some screens only (`laterParts` of src/tools/locales.mjs), or of the media tool with this id. */
export type MessagePart = 'media' | 'account' | 'console' | 'thread' | 'commands' | (string & {})
export type PartLoaders = Partial<Record<MessagePart, (locale: string) => Promise<MessageFile>>>
export type LoadedLanguage = {locale: string; messages: CompiledMessages}

/** The interface language; follows the newest successful request. */
export type MessageStore = {
  get: () => LoadedLanguage | undefined
  /** Resolves when the language or its fallback is loaded. Never rejects: a failure is only logged (spec §8). */
  load: (locale: string) => Promise<void>
  /**
   * Also loads messages of these screens, from now on for every language. Rejects where they are not there, or no
   * language is: a view has nothing to say without them. The next call tries again.
   */
  loadPart: (part: MessagePart) => Promise<void>
  subscribe: (listener: () => void) => () => void
}

const fallback = 'en'
const noWords = 'The page has no words'

const hasWords = (language: LoadedLanguage | undefined) => Object.keys(language?.messages ?? {}).length > 0

/** The first words of a page. Rejects where neither the language nor its fallback came: a page says nothing then. */
export async function loadFirstWords(store: MessageStore, locale: string): Promise<void> {
  await store.load(locale)
  if (!hasWords(store.get())) throw new Error(noWords)
}

/**
 * Loads one language at a time; messages of some screens from the first `loadPart` on. If a language cannot be loaded,
 * the current one stays, else English.
 */
export function createMessageStore(
  loaders: MessageLoaders,
  log: (message: string, error: unknown) => void,
  partLoaders: PartLoaders = {},
): MessageStore {
  const language = createValueStore<LoadedLanguage | undefined>(undefined)
  let wantedLocale = fallback
  let wantedParts: readonly MessagePart[] = []
  let shownParts = wantedParts
  let newest: Promise<void> | undefined

  const failed = (locale: string, error: unknown) => log(`The messages of "${locale}" could not be loaded`, error)
  const read = async (locale: string): Promise<LoadedLanguage | undefined> => {
    const loader = loaders[locale]
    try {
      if (loader === undefined) throw new Error(`"${locale}" is not a language of the interface`)
      const files = await loadFile(() =>
        Promise.all([loader(), ...wantedParts.map((part) => partLoaders[part]?.(locale))]),
      )
      const messages: CompiledMessages = {}
      for (const file of files) Object.assign(messages, file?.default)
      return {locale, messages}
    } catch (error) {
      failed(locale, error)
      return undefined
    }
  }
  const request = async (locale: string) => {
    // parts that are still on their way hold up no other screen
    if (language.get()?.locale === locale) return
    const withParts = wantedParts
    const messages = await read(locale)
    if (wantedLocale !== locale || wantedParts !== withParts) return newest // a newer choice decides, and brings what this one was to
    if (messages === undefined && language.get() !== undefined) return
    if (messages !== undefined) shownParts = withParts
    const next = messages ?? (locale === fallback ? undefined : await read(fallback))
    language.set(next ?? {locale: fallback, messages: {}})
  }
  const load = (locale: string): Promise<void> => {
    wantedLocale = locale
    newest = request(locale)
    return newest
  }
  const addPart = async (part: MessagePart): Promise<void> => {
    if (!wantedParts.includes(part)) wantedParts = [...wantedParts, part]
    const coming = language.get()?.locale === wantedLocale ? undefined : load(wantedLocale)
    // a language that is shown gets the part as well: the other one can be slow, fail, or be taken back
    if (language.get() === undefined) await coming
    const locale = language.get()?.locale
    if (locale === undefined || !hasWords(language.get())) throw new Error(noWords)
    if (shownParts.includes(part)) return
    try {
      const file = await loadFile(async () => partLoaders[part]?.(locale))
      const current = language.get()
      // a language that came meanwhile brought the part
      if (current?.locale !== locale) return
      shownParts = [...shownParts, part]
      language.set({locale, messages: {...current.messages, ...file?.default}})
    } catch (error) {
      failed(locale, error)
      if (!shownParts.includes(part)) throw error
    }
  }
  return {
    get: language.get,
    load,
    loadPart: addPart,
    subscribe: language.subscribe,
  }
}
