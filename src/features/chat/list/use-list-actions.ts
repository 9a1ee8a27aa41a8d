import type {ConversationChange} from '#domain/conversation.ts'
import type {MessageId} from '#ui/text.tsx'
import {useChat, type ChatActors, type ChatPlace} from '../chat.context.tsx'
import type {Section} from './conversation-sections.ts'
import type {useEditedRow} from './use-edited-row.ts'
import type {Selection} from './use-selection.ts'

/** What can be done with conversations of the list, one or several. */
export type ListActions = {
  onRename: (key: string, title: string) => void
  edited: Pick<ReturnType<typeof useEditedRow>, 'hold' | 'leaves'>
  onRemove: (keys: readonly string[]) => void
  /** `textId`: of a notice that tells of it and takes it back. */
  onMark: (changes: readonly ConversationChange[], textId?: MessageId) => void
  /** A notice tells of changes that were made before; `changes` take them back. */
  onOfferBack: (changes: readonly ConversationChange[], textId: MessageId) => void
  onArchive: (keys: readonly string[], isArchived: boolean) => void
  onLabel: (keys: readonly string[]) => void
  onExport: (keys: readonly string[]) => void
  /** Begins to choose, or chooses another row; with `isRange` all from the one before. */
  onSelect: (key: string, isRange?: boolean) => void
}

type ListActionDeps = {
  actors: ChatActors
  place: ChatPlace
  sections: readonly Section[]
  activeKey: string | undefined
  selection: Selection
  edited: ListActions['edited']
  onLabel: (keys: readonly string[]) => void
  onExport: (keys: readonly string[]) => void
}

/** The actions of a list; what leaves it while it is on screen gives way to its neighbour. */
export function useListActions({
  actors,
  place,
  sections,
  activeKey,
  selection,
  edited,
  onLabel,
  onExport,
}: ListActionDeps): ListActions {
  const {conversations} = actors
  const {navigation} = useChat()
  /** The row after a key, else the one before it, that is not among the keys. */
  const neighbourOf = (own: string | undefined, keys: readonly string[]) => {
    const listed = sections.flatMap(({records}) => records)
    const index = listed.findIndex(({key}) => key === own)
    const stays = ({key}: {key: string}) => !keys.includes(key)
    return listed.slice(index + 1).find(stays) ?? listed.slice(0, index).findLast(stays)
  }
  const goOn = (keys: readonly string[]) => {
    if (activeKey === undefined || !keys.includes(activeKey)) return
    const neighbour = neighbourOf(activeKey, keys)
    navigation.go({group: place.group, conversation: neighbour && (neighbour.id ?? neighbour.key)}, {replace: true})
  }
  const onMark: ListActions['onMark'] = (changes, textId) => {
    if (changes.length > 0)
      conversations.send({type: 'conversations.mark', changes, ...(textId === undefined ? {} : {textId})})
  }
  return {
    onRename: (key, title) => conversations.send({type: 'conversation.rename', key, title}),
    edited,
    onRemove: (keys) => {
      conversations.send({
        type: 'conversations.remove',
        keys,
        ...(keys.length > 1 ? {textId: 'chat.severalDeleted' satisfies MessageId} : {}),
      })
      goOn(keys)
      selection.leave(neighbourOf(keys[0], keys)?.key)
    },
    onMark,
    onOfferBack: (back, textId) => conversations.send({type: 'conversations.mark', changes: [], textId, back}),
    onArchive: (keys, archived) => {
      onMark(
        keys.map((key) => ({key, archived})),
        archived ? 'chat.archiveDone' : undefined,
      )
      if (archived) goOn(keys)
      selection.leave(neighbourOf(keys[0], keys)?.key)
    },
    onLabel,
    onExport,
    onSelect: selection.toggle,
  }
}
