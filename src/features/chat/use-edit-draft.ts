import {useSelector} from '@xstate/react'
import {useEffect, useEffectEvent, useMemo} from 'react'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {useChat, type Chat} from './chat.context.tsx'

/** What was typed into the editor of a sent message and is neither sent nor cancelled; kept as the drafts of the field are. */
export type EditDraft = {read: () => string | undefined; write: (text: string | undefined) => void}

/** Of the version that stands there now, then of the others, the newest first. */
function keysOf({context: {key, messages}}: ConversationSnapshot, index: number): string[] {
  const message = messages[index]
  const own = message?.id ?? `${key}/${index}`
  const others = message?.versions?.filter((version) => version !== own).toReversed() ?? []
  return [own, ...others].map((name) => `edit/${name}`)
}

const draftOf = (drafts: Chat['drafts'], keys: readonly string[]): EditDraft => ({
  read: () => keys.map((key) => drafts.read(key)?.text).find((text) => text !== undefined),
  write: (text) => {
    const [own, ...others] = keys
    if (own !== undefined) drafts.write(own, text === undefined ? undefined : {text, references: []})
    for (const key of others) if (drafts.read(key) !== undefined) drafts.write(key, undefined)
  },
})

/** That of a message and its versions: another page may put a version in its place while a text is typed. */
export function useEditDraft(actor: ConversationActor, index: number): EditDraft {
  const {drafts} = useChat()
  const keys = useSelector(actor, (snapshot) => keysOf(snapshot, index).join(' '))
  return useMemo(() => draftOf(drafts, keys.split(' ')), [drafts, keys])
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
      (_, index) => draftOf(drafts, keysOf(actor.getSnapshot(), index)).read() !== undefined,
    )
    if (draftIndex !== -1) onEditing(draftIndex)
  })
  useEffect(() => reopen(), [])
}
