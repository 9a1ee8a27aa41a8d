import {useCallback, useMemo} from 'react'
import type {QuestionContent} from '#domain/conversation.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import type {ConversationEvent} from '#machines/conversation/conversation.types.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {useText} from '#ui/text.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import {branchTitle} from './branch-title.ts'
import {useChat} from './chat.context.tsx'
import {chooseShown} from './choose-shown.ts'
import {dropModel} from './kept-model.ts'
import {filesOf} from './unread-files.ts'
import {keepUnsent, useEditDraft} from './use-edit-draft.ts'

type RowOfThread = {
  actor: ConversationActor
  index: number
  /** The id of its message, once it has one. */
  id: string | undefined
  /** Its name among its versions. */
  name: string | undefined
  changes: MessageChangesActor | undefined
  /** Why the conversation's model cannot be used. */
  unusable: string | undefined
  focusField: () => void
  onEditing: (index: number | undefined) => void
  isLast: boolean
  onAsked?: (() => void) | undefined
}

/** Returns the user's actions on one message of a thread. The functions stay the same while the message does. */
export function useRowCommands(row: RowOfThread) {
  const editing = useEditCommands(row)
  const asking = useAskCommands(row)
  const {actor, changes, id, name = '', index} = row
  const text = useText()
  const {newKey} = useChat()
  const branch = useCallback(() => {
    const title = branchTitle(text, actor.getSnapshot().context)
    changes?.send({type: 'change.request', change: {action: 'branch', message: id ?? '', title, key: newKey()}})
  }, [actor, changes, id, newKey, text])
  const remove = useCallback(() => {
    // no server has to choose the path of one that it does not have
    if (id === undefined) changes?.send({type: 'message.remove', message: name})
    else if (changes !== undefined)
      chooseShown(changes, actor, (isChosen) => {
        if (isChosen) changes.send({type: 'message.remove', message: id})
      })
  }, [actor, changes, id, name])
  return {...editing, ...asking, branch, remove, files: () => filesOf(actor.getSnapshot(), index + 1)}
}

/** Editing a question: with an answer to the new text, or saved without one. */
function useEditCommands({actor, index, changes, onEditing, onAsked}: RowOfThread) {
  const text = useText()
  const {actors, drafts, newKey, now} = useChat()
  const draft = useEditDraft(actor, index)
  const edit = useCallback(() => onEditing(index), [onEditing, index])
  const editQuestion = useCallback(() => onEditing(index - 1), [onEditing, index])
  const endEdit = useCallback(() => {
    draft.write(undefined)
    onEditing(undefined)
  }, [draft, onEditing])
  const sendEdit = useCallback(
    (content: QuestionContent) => {
      endEdit()
      dropModel(drafts, actor.getSnapshot().context)
      actor.send({type: 'message.edit', index, ...content, key: newKey(), at: now()})
      keepUnsent(actor, actors?.conversations, draft, text('chat.file'))
      onAsked?.()
    },
    [actor, actors, draft, drafts, index, text, newKey, now, endEdit, onAsked],
  )
  const saveEdit = useCallback(
    (question: string, references: string[] | undefined) => {
      const message = selectMessages(actor.getSnapshot())[index]?.id
      if (changes === undefined || message == null) return
      const change = {action: 'edit', message, question, references} as const
      const listening = changes.on('change.settled', (settled) => {
        if (settled.change !== change) return
        listening.unsubscribe()
        // a text that could not be saved stays in its field
        if (settled.isDone) endEdit()
      })
      changes.send({type: 'change.request', change})
    },
    [actor, changes, index, endEdit],
  )
  return {draft, edit, editQuestion, endEdit, sendEdit, saveEdit}
}

/** Asking for another answer, or for more of this one. */
function useAskCommands({actor, index, isLast, unusable, focusField, onAsked}: RowOfThread) {
  const text = useText()
  const {drafts, newKey, now} = useChat()
  const isUsable = unusable === undefined
  return useMemo(() => {
    /** The button that asked goes with its focus; on touch the field would bring up the keyboard. */
    const ask = (event: ConversationEvent) => {
      // with another answer the conversation keeps its model: the chosen one waits for a question
      if (event.type === 'prompt.submit') dropModel(drafts, actor.getSnapshot().context)
      actor.send(event)
      if (!matchMedia(coarsePointer).matches) focusField()
    }
    const regenerate = (model?: string) => {
      ask({type: 'answer.regenerate', key: newKey(), at: now(), model, end: isLast ? undefined : index + 1})
      // what followed is gone from the thread
      if (!isLast) onAsked?.()
    }
    const retry = (model?: string) => ask({type: 'answer.retry', key: newKey(), at: now(), model})
    return {
      retry: () => (isUsable ? retry() : focusField()),
      regenerate: () => (isUsable ? regenerate() : focusField()),
      answerWith: (model: string) =>
        isLast && actor.getSnapshot().matches('failed') ? retry(model) : regenerate(model),
      goOn: () => {
        if (!isUsable) return focusField()
        const question = text('chat.continuePrompt')
        ask({type: 'prompt.submit', question, references: [], key: newKey(), at: now()})
      },
    }
  }, [actor, drafts, index, isLast, isUsable, newKey, now, focusField, onAsked, text])
}
