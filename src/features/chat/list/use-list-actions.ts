import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import {changingMachine} from '#machines/conversation-changes/changing.machine.ts'
import {conversationChangesMachine} from '#machines/conversation-changes/conversation-changes.machine.ts'
import type {MessageId} from '#ui/text.tsx'
import {useChat, type ChatActors, type ChatLocation} from '../chat.context.tsx'
import type {Selection} from './use-selection.ts'
import {whenUnarchived, whenUndone} from './way-back.ts'

const charts = {changes: conversationChangesMachine, changing: changingMachine}

/** The actions for conversations of the list, one or several. */
export type ListActions = {
  onRename: (key: string, title: string) => void
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
  location: Pick<ChatLocation, 'group'>
  /** The rows from top to bottom, as they are now. */
  listed: () => readonly ConversationRecord[]
  activeKey: string | undefined
  /** Undefined where no rows are chosen. */
  selection?: Selection
  onLabel: (keys: readonly string[]) => void
  onExport: (keys: readonly string[]) => void
}

/** The row after a key, else the one before it, that is not among the keys. */
function neighbourOf(rows: readonly ConversationRecord[], own: string | undefined, keys: readonly string[]) {
  const index = rows.findIndex(({key}) => key === own)
  const stays = ({key}: {key: string}) => !keys.includes(key)
  return rows.slice(index + 1).find(stays) ?? rows.slice(0, index).findLast(stays)
}

/** The actions of a list; what leaves it while it is on screen gives way to its neighbour. */
export function useListActions({
  actors,
  location,
  listed,
  activeKey,
  selection,
  onLabel,
  onExport,
}: ListActionDeps): ListActions {
  const {conversations} = actors
  const {navigation, openListChanges} = useChat()
  const changes = () => openListChanges(conversations, charts)
  const {group} = location
  /** To the neighbours, found before a change takes rows away. */
  const leave = (rows: readonly ConversationRecord[], keys: readonly string[], isGoingOn = true) => {
    if (isGoingOn && activeKey !== undefined && keys.includes(activeKey)) {
      const next = neighbourOf(rows, activeKey, keys)
      navigation.go({group, conversation: next && (next.id ?? next.key)}, {replace: true})
    }
    selection?.leave(neighbourOf(rows, keys[0], keys)?.key)
  }
  /** Undo leads from the neighbour to the conversation that was on screen, unless the user went elsewhere meanwhile. */
  const offerWayBack = (rows: readonly ConversationRecord[], keys: readonly string[], whenBack: typeof whenUndone) => {
    const openRecord = rows.find(({key}) => key === activeKey && keys.includes(key))
    if (openRecord === undefined) return
    const next = neighbourOf(rows, openRecord.key, keys)
    const {pathname} = new URL(
      navigation.href({group, conversation: next && (next.id ?? next.key)}),
      window.location.origin,
    )
    whenBack(conversations, openRecord.key, () => {
      if (window.location.pathname === pathname)
        navigation.go({group, conversation: openRecord.id ?? openRecord.key}, {replace: true})
    })
  }
  const onMark: ListActions['onMark'] = (marks, textId) => {
    if (marks.length > 0)
      changes()?.send({type: 'conversations.mark', changes: marks, ...(textId === undefined ? {} : {textId})})
  }
  return {
    onRename: (key, title) => changes()?.send({type: 'conversation.rename', key, title}),
    onRemove: (keys) => {
      const rows = listed()
      conversations.send({type: 'conversations.remove', keys})
      leave(rows, keys)
      offerWayBack(rows, keys, whenUndone)
    },
    onMark,
    onOfferBack: (back, textId) => changes()?.send({type: 'conversations.mark', changes: [], textId, back}),
    onArchive: (keys, isArchived) => {
      const rows = listed()
      onMark(
        keys.map((key) => ({key, archived: isArchived})),
        isArchived ? 'chat.archiveDone' : undefined,
      )
      leave(rows, keys, isArchived)
      if (isArchived) offerWayBack(rows, keys, whenUnarchived)
    },
    onLabel,
    onExport,
    onSelect: (key, isRange) => selection?.toggle(key, isRange),
  }
}
