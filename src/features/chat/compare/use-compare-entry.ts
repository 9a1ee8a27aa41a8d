import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import type {Draft} from '../draft.types.ts'
import type {OfferedModel} from '../model-catalogue.ts'
import {openCompare} from './compare-entry.ts'

/** The way from the models of a chat to several of them, with a question that was asked; undefined where there are none. */
export function useCompareEntry(models: readonly OfferedModel[], asked: () => Draft | undefined) {
  const text = useText()
  const chat = useChat()
  const group = models[0]?.group
  if (chat.actors === undefined || group === undefined) return undefined
  return {id: 'several', label: text('chat.modelSeveral'), onSelect: () => openCompare(chat, group, asked())}
}
