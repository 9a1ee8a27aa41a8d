import {createPartWords, usePartWords, type PartWords} from '#ui/part-words.ts'
import {useAppInfo, type AppInfo} from './app-info.tsx'
import type {MessagePart} from './locale-messages.ts'

type Prepare = AppInfo['prepareWords']

/** By the store of messages, of which a page has one. */
const parts = new WeakMap<Prepare, Partial<Record<MessagePart, PartWords>>>()

export function wordsOf(prepare: Prepare, part: MessagePart): PartWords {
  const partWords = parts.get(prepare) ?? {}
  parts.set(prepare, partWords)
  return (partWords[part] ??= createPartWords(() => prepare(part)))
}

/** Suspends until a part of the messages is loaded. A failure goes to the nearest error boundary. */
export function useWords(part: MessagePart): void {
  usePartWords(wordsOf(useAppInfo().prepareWords, part))
}
