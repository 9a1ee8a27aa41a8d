import {useSelector} from '@xstate/react'
import {useCallback, useEffect, useEffectEvent, useRef, useState} from 'react'
import type {RecordMessage} from '#domain/conversation.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {useChat, type Chat} from './chat.context.tsx'
import {editDraftOf, editKeys} from './use-edit-draft.ts'

/** The message whose editor is open: where it stood last, and the names of its draft there. */
type EditedPosition = {index: number; keys: readonly string[]}

/** Returns the place of the edited message among those shown; -1: its version is not shown. */
function placeOf({index, keys}: EditedPosition, conversation: string, messages: readonly RecordMessage[]): number {
  // one that only this device had gets its name while the editor is open
  if (keys[0] === `edit/${conversation}/${index}`) return messages[index]?.role === 'user' ? index : -1
  return messages.findIndex((_, at) => editKeys(conversation, messages, at).some((key) => keys.includes(key)))
}

/** Words typed before the server named their message go on under its name. */
function nameDraft(drafts: Chat['drafts'], conversation: string, messages: readonly RecordMessage[], place: number) {
  if (messages[place]?.id == null) return
  const nameless = editDraftOf(drafts, [`edit/${conversation}/${place}`])
  const namelessDraft = nameless.read()
  if (namelessDraft === undefined) return
  const namedDraft = editDraftOf(drafts, editKeys(conversation, messages, place))
  if (namedDraft.read() === undefined) namedDraft.write(namelessDraft)
  nameless.write(undefined)
}

const isSame = (one: readonly string[], other: readonly string[]) => one.join(' ') === other.join(' ')

export type Editing = {
  /** Index of the message whose editor is open. */
  editing: number | undefined
  onEditing: (index: number | undefined) => void
  /** Words typed for a message whose version is not shown any more; they wait for it. */
  kept: string | undefined
}

/**
 * Which sent message of a conversation is edited. The editor follows its message, since another page may put other messages
 * in its place, and is offered again with the words that were left in it when its message comes into the thread.
 */
export function useEditing(actor: ConversationActor): Editing {
  const {drafts} = useChat()
  const messages = useSelector(actor, ({context}) => context.messages)
  const {key} = actor.getSnapshot().context
  const [editedMessage, setEditedMessage] = useState<EditedPosition>()
  const place = editedMessage === undefined ? -1 : placeOf(editedMessage, key, messages)
  if (editedMessage !== undefined && place !== -1) {
    const keys = editKeys(key, messages, place)
    if (place !== editedMessage.index || !isSame(keys, editedMessage.keys)) setEditedMessage({index: place, keys})
  }
  const onEditing = useCallback(
    (index: number | undefined) => {
      const {context} = actor.getSnapshot()
      setEditedMessage(index === undefined ? undefined : {index, keys: editKeys(context.key, context.messages, index)})
    },
    [actor],
  )
  const seenKeys = useRef<ReadonlySet<string>>(new Set())
  const reopen = useEffectEvent(() => {
    if (place !== -1) nameDraft(drafts, key, messages, place)
    const names = messages.map((_, index) => editKeys(key, messages, index))
    const leftIndex = names.findLastIndex(
      (keys) => !keys.some((each) => seenKeys.current.has(each)) && editDraftOf(drafts, keys).read() !== undefined,
    )
    seenKeys.current = new Set(names.flat())
    if (leftIndex !== -1 && place === -1) onEditing(leftIndex)
  })
  useEffect(() => reopen(), [messages])
  return {
    editing: place === -1 ? undefined : place,
    onEditing,
    kept: editedMessage === undefined || place !== -1 ? undefined : editDraftOf(drafts, editedMessage.keys).read(),
  }
}
