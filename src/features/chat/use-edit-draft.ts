import {useSelector} from '@xstate/react'
import {useEffect, useEffectEvent, useMemo} from 'react'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {useChat, type Chat} from './chat.context.tsx'

/** What was typed into the editor of a sent message and is neither sent nor cancelled; kept as the drafts of the field are. */
export type EditDraft = {read: () => string | undefined; write: (text: string | undefined) => void}

const keyOf = ({context: {key, messages}}: ConversationSnapshot, index: number) =>
  `edit/${messages[index]?.id ?? `${key}/${index}`}`

const draftOf = (drafts: Chat['drafts'], key: string): EditDraft => ({
  read: () => drafts.read(key)?.text,
  write: (text) => drafts.write(key, text === undefined ? undefined : {text, references: []}),
})

/** That of the message which stands there now: one that takes its place has its own. */
export function useEditDraft(actor: ConversationActor, index: number): EditDraft {
  const {drafts} = useChat()
  const key = useSelector(actor, (snapshot) => keyOf(snapshot, index))
  return useMemo(() => draftOf(drafts, key), [drafts, key])
}

/** A changed text that does not go out while no screen shows its conversation waits in its editor; else the message field gets it. */
export function keepUnsent(actor: ConversationActor, list: ConversationListActor | undefined, draft: EditDraft): void {
  const look = ({context: {key, before, rejection}}: ConversationSnapshot) => {
    if (before !== undefined) return
    watching.unsubscribe()
    const isShown = list?.getSnapshot().context.shown.includes(key) === true
    if (rejection !== undefined && rejection.question !== '' && !isShown) draft.write(rejection.question)
  }
  const watching = actor.subscribe(look)
  look(actor.getSnapshot())
}

/** Opens the editor again that was open with a changed text when the conversation was left. */
export function useLeftEdit(actor: ConversationActor, onEditing: (index: number) => void): void {
  const {drafts} = useChat()
  const reopen = useEffectEvent(() => {
    const {messages} = actor.getSnapshot().context
    const draftIndex = messages.findLastIndex(
      (_, index) => draftOf(drafts, keyOf(actor.getSnapshot(), index)).read() !== undefined,
    )
    if (draftIndex !== -1) onEditing(draftIndex)
  })
  useEffect(() => reopen(), [])
}
