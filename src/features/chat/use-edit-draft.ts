import {useEffect, useEffectEvent, useMemo} from 'react'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {useChat, type Chat} from './chat.context.tsx'

/** What was typed into the editor of a sent message and is neither sent nor cancelled; kept as the drafts of the field are. */
export type EditDraft = {read: () => string | undefined; write: (text: string | undefined) => void}

const keyOf = ({context: {key, messages}}: ConversationSnapshot, index: number) =>
  `edit/${messages[index]?.id ?? `${key}/${index}`}`

const draftOf = (drafts: Chat['drafts'], actor: ConversationActor, index: number): EditDraft => {
  const key = () => keyOf(actor.getSnapshot(), index)
  return {
    read: () => drafts.read(key())?.text,
    write: (text) => drafts.write(key(), text === undefined ? undefined : {text, references: []}),
  }
}

export function useEditDraft(actor: ConversationActor, index: number): EditDraft {
  const {drafts} = useChat()
  return useMemo(() => draftOf(drafts, actor, index), [drafts, actor, index])
}

/** Opens the editor again that was open with a changed text when the conversation was left. */
export function useLeftEdit(actor: ConversationActor, onEditing: (index: number) => void): void {
  const {drafts} = useChat()
  const reopen = useEffectEvent(() => {
    const {messages} = actor.getSnapshot().context
    const left = messages.findLastIndex((_, index) => draftOf(drafts, actor, index).read() !== undefined)
    if (left !== -1) onEditing(left)
  })
  useEffect(() => reopen(), [])
}
