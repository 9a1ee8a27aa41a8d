import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import type {OfferedModel} from '../model-catalogue.ts'
import {openCompare} from './compare-entry.ts'

/** The way from the models of a chat to several of them; undefined where there are none. */
export function useCompareEntry(models: readonly OfferedModel[]) {
  const text = useText()
  const chat = useChat()
  const group = models[0]?.group
  if (chat.actors === undefined || group === undefined) return undefined
  return {id: 'several', label: text('chat.modelSeveral'), onSelect: () => openCompare(chat, group)}
}
