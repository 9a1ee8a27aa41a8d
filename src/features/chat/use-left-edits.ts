import {useEffect} from 'react'
import type {ModelGroup} from '#contract/models.ts'
import {editKeys} from '#domain/edit-keys.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import type {ConversationListSnapshot} from '#machines/conversation-list/conversation-list.machine.ts'
import {
  selectActiveKey,
  selectConversation,
  selectIsGone,
} from '#machines/conversation-list/conversation-list.selectors.ts'
import {newDraftKey, useChat} from './chat.context.tsx'
import {joinDraft} from './move-draft.ts'
import {editFilesKey} from './use-edit-draft.ts'

/** Another tab deletes the conversation on screen, also while the list is read or after that failed. */
const isTaken = (list: ConversationListSnapshot, key: string) =>
  selectActiveKey(list) === key && selectConversation(list, key) === undefined && selectIsGone(list, key)

/** Moves what stands in editors of a conversation that is gone into the field of a new one, where its draft goes. */
export function useLeftEdits(actor: ConversationActor, group: ModelGroup): void {
  const chat = useChat()
  const list = chat.actors?.conversations
  useEffect(
    () => () => {
      const {key, messages} = actor.getSnapshot().context
      const now = list?.getSnapshot()
      if (now === undefined || !isTaken(now, key)) return
      const keys = [...messages.keys()].flatMap((index) => editKeys(key, messages, index))
      for (const edit of keys) {
        const words = chat.drafts.read(edit)
        const files = chat.drafts.read(editFilesKey(edit))
        if (words === undefined && files === undefined) continue
        joinDraft(chat, {text: (words ?? files)?.text ?? '', references: files?.references ?? []}, newDraftKey(group))
        for (const left of [edit, editFilesKey(edit)]) chat.drafts.write(left, undefined)
      }
    },
    [actor, chat, group, list],
  )
}
