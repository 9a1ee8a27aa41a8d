import {useSelector} from '@xstate/react'
import {useMemo} from 'react'
import {editKeys} from '#domain/edit-keys.ts'
import type {ConversationActor, ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {useChat, type Chat} from './chat.context.tsx'
import type {Draft} from './draft.types.ts'
import {referencesOf} from './references-of.ts'

/** Text and files in the editor of a sent message, neither sent nor cancelled; kept as the field's drafts are. */
export type EditDraft = {
  read: () => string | undefined
  write: (text: string | undefined) => void
  /** Text and files that wait until the editor is opened again. */
  keep: (unsent: Draft) => void
}

export function editDraftOf(drafts: Chat['drafts'], keys: readonly string[]): EditDraft {
  const [own, ...others] = keys
  const write = (text: string | undefined) => {
    if (own !== undefined) drafts.write(own, text === undefined ? undefined : {text, references: []})
    for (const key of others) if (drafts.read(key) !== undefined) drafts.write(key, undefined)
  }
  return {
    read: () => keys.map((key) => drafts.read(key)?.text).find((text) => text !== undefined),
    write,
    keep: (unsent) => {
      write(unsent.text)
      if (own !== undefined) drafts.write(editFilesKey(own), unsent)
    },
  }
}

/** The key under which the files of an edited message wait. */
export const editFilesKey = (key: string) => `files/${key}`

/** The draft of a message and its versions: another page may replace the message by a version while the user types. */
export function useEditDraft(actor: ConversationActor, index: number): EditDraft {
  const {drafts} = useChat()
  const keys = useSelector(actor, ({context: {key, messages}}) => editKeys(key, messages, index).join(' '))
  return useMemo(() => editDraftOf(drafts, keys.split(' ')), [drafts, keys])
}

/**
 * A changed question that does not go out while no screen shows its conversation waits in its editor; else the message
 * field gets it. `nameless`: what a file without a name is called.
 */
export function keepUnsent(
  actor: ConversationActor,
  list: ConversationListActor | undefined,
  draft: EditDraft,
  nameless: string,
): void {
  const look = ({context: {key, before, rejection}}: ConversationSnapshot) => {
    if (before !== undefined) return
    watching.unsubscribe()
    const isShown = list?.getSnapshot().context.shown.includes(key) === true
    if (rejection === undefined || rejection.question === '' || isShown) return
    draft.keep({text: rejection.question, references: referencesOf(rejection, nameless)})
  }
  const watching = actor.subscribe(look)
  look(actor.getSnapshot())
}
