import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import type {OfferedModel} from '../model-catalogue.ts'
import {openCompare} from './compare-entry.ts'

/** The way from the models of a chat to several of them; undefined where none of them is to be asked anew. */
export function useCompareEntry(models: readonly OfferedModel[], isForAnswer: boolean | undefined) {
  const text = useText()
  const chat = useChat()
  const group = models[0]?.group
  if (isForAnswer === true || chat.actors === undefined || group === undefined) return undefined
  return {id: 'several', label: text('chat.modelSeveral'), onSelect: () => openCompare(chat, group)}
}
