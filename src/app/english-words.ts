import {messageLoaders, partLoaders} from 'virtual:message-loaders'
import type {SearchWords} from '#features/chat/matching-models.ts'
import {loadPart} from '#ui/load-part.ts'
import type {CompiledMessages} from '#ui/message-format.ts'
import {keepLoad} from './kept-loads.ts'
import {createLabelWords} from './label-words.ts'
import type {MessagePart, PartLoaders} from './locale-messages.ts'
import {toolWords} from './media/load-tools.ts'

/** Words of the palette alone: the first screen does not name their files. */
const commandWords: PartLoaders = {
  words: async (locale) => (await import('virtual:message-loaders/words')).loaders[locale]?.() ?? {default: {}},
}
const loaders: PartLoaders = {...partLoaders, ...toolWords, ...commandWords}
/** The English texts of what a button says in the language of the page. */
export type EnglishLabels = (label: string) => string | undefined

const loads = new Map<string, Promise<SearchWords>>()
const labelLoads = new Map<string, Promise<EnglishLabels>>()

/** Messages of the first screen and these parts. */
export async function readMessages(locale: string, parts: readonly MessagePart[]): Promise<CompiledMessages> {
  const files = await loadPart(() =>
    Promise.all([messageLoaders[locale]?.(), ...parts.map((part) => loaders[part]?.(locale))]),
  )
  return Object.assign({}, ...files.map((file) => file?.default)) as CompiledMessages // as: one map of the same shape
}

/** The text of a message up to its first value. */
export function wordsIn(messages: CompiledMessages, id: string): string | undefined {
  const [part] = messages[id] ?? []
  return part !== undefined && 'value' in part && typeof part.value === 'string' ? part.value : undefined
}

/**
 * English messages of the first screen and these parts, for searching in every language. Without them the search uses
 * the page's language only.
 */
export const englishWords = (parts: readonly MessagePart[]): Promise<SearchWords> =>
  keepLoad(
    loads,
    parts.join(),
    () => readWords(parts),
    () => undefined,
  )

async function readWords(parts: readonly MessagePart[]): Promise<SearchWords> {
  const messages = await readMessages('en', parts)
  return (id) => wordsIn(messages, id)
}

async function readLabels(locale: string, parts: readonly MessagePart[]): Promise<EnglishLabels> {
  if (locale === 'en') return () => undefined
  const [messages, english] = await Promise.all([readMessages(locale, parts), readMessages('en', parts)])
  return createLabelWords(messages, english)
}

/** The same for what stands on the page already: a button has a text and no id. */
export const englishLabels = (locale: string, parts: readonly MessagePart[]): Promise<EnglishLabels> =>
  keepLoad(
    labelLoads,
    [locale, ...parts].join(),
    () => readLabels(locale, parts),
    () => undefined,
  )
