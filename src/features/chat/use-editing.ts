import {useActor} from '@xstate/react'
import {useCallback, useState} from 'react'
import {distinctUntilChanged, map, Observable, pairwise, startWith} from 'rxjs'
import type {RecordMessage} from '#domain/conversation.ts'
import {editKeys} from '#domain/edit-keys.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {createMessageEditingMachine} from '#machines/message-editing/message-editing.machine.ts'
import type {MessagesChanged} from '#machines/message-editing/message-editing.types.ts'
import {useChat, type Chat} from './chat.context.tsx'
import {editDraftOf} from './use-edit-draft.ts'

/** The messages of a conversation, at once and whenever they change. */
const messagesOf = (conversation: ConversationActor): Observable<readonly RecordMessage[]> =>
  new Observable<readonly RecordMessage[]>((observer) => {
    const look = () => observer.next(conversation.getSnapshot().context.messages)
    look()
    return conversation.subscribe(look)
  }).pipe(distinctUntilChanged())

/** Words typed before the server named their message go on under its name. */
function nameDraft(drafts: Chat['drafts'], [namelessKey]: readonly string[], keys: readonly string[]) {
  if (namelessKey === undefined || namelessKey === keys[0]) return
  const nameless = editDraftOf(drafts, [namelessKey])
  const namelessDraft = nameless.read()
  if (namelessDraft === undefined) return
  const namedDraft = editDraftOf(drafts, keys)
  if (namedDraft.read() === undefined) namedDraft.write(namelessDraft)
  nameless.write(undefined)
}

/** The facts that a thread needs to edit its messages. */
const editedMessages = (conversation: ConversationActor, drafts: Chat['drafts']): Observable<MessagesChanged> => {
  const {key} = conversation.getSnapshot().context
  return messagesOf(conversation).pipe(
    map((messages) =>
      messages.map(({id, role}, index) => ({
        keys: editKeys(key, messages, index),
        isNamed: id != null,
        isQuestion: role === 'user',
      })),
    ),
    startWith([]),
    pairwise(),
    map(([before, now]) => {
      for (const [index, {keys, isNamed}] of now.entries()) {
        const last = before[index]
        if (isNamed && last?.isNamed === false) nameDraft(drafts, last.keys, keys)
      }
      const seenKeys = new Set(before.flatMap(({keys}) => keys))
      const messages = now.map(({keys, isQuestion}) => ({
        keys,
        isQuestion,
        // an editor opens for words that come with their message
        isDrafted: !keys.some((key) => seenKeys.has(key)) && editDraftOf(drafts, keys).read() !== undefined,
      }))
      return {type: 'messages.changed', messages}
    }),
  )
}

export type Editing = {
  /** Index of the message whose editor is open. */
  editing: number | undefined
  /** Another one for each editor. */
  editor: string | undefined
  onEditing: (index: number | undefined) => void
  /** Words typed for a message whose version is not shown any more; they wait for it. */
  kept: string | undefined
}

/** Which sent message of a conversation is edited, while its thread is on screen. */
export function useEditing(actor: ConversationActor): Editing {
  const {drafts} = useChat()
  const [machine] = useState(() => createMessageEditingMachine(editedMessages(actor, drafts)))
  const [snapshot, send] = useActor(machine, {input: {conversation: actor.getSnapshot().context.key}})
  const {edited, editor} = snapshot.context
  const onEditing = useCallback(
    (index: number | undefined) => {
      const {key, messages} = actor.getSnapshot().context
      if (index === undefined) send({type: 'editor.close'})
      else send({type: 'editor.open', index, keys: editKeys(key, messages, index)})
    },
    [actor, send],
  )
  return {
    editing: snapshot.matches({open: 'shown'}) ? edited?.index : undefined,
    editor,
    onEditing,
    kept: snapshot.matches({open: 'hidden'}) && edited ? editDraftOf(drafts, edited.keys).read() : undefined,
  }
}
