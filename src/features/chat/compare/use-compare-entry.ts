import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import type {Draft} from '../draft.types.ts'
import type {OfferedModel} from '../model-catalogue.ts'
import {openCompare} from './compare-entry.ts'

/**
 * The way from the models of a chat to several of them, with what waits under a draft's key, or a question that was
 * asked; undefined where there are none.
 */
export function useCompareEntry(
  models: readonly OfferedModel[],
  draftKey: () => string,
  readQuestion: () => Draft | undefined,
) {
  const text = useText()
  const chat = useChat()
  if (chat.actors === undefined || models.length === 0) return undefined
  return {
    id: 'several',
    label: text('chat.modelSeveral'),
    onSelect: () => openCompare(chat, draftKey(), readQuestion()),
  }
}
