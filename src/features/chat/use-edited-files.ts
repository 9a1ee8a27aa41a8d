import {useEffectEvent, useLayoutEffect, useState} from 'react'
import {messageText, namedFiles, type QuestionContent, type RecordMessage} from '#domain/conversation.ts'
import type {FileReference} from '#machines/draft-files/draft-files.types.ts'
import {useChat, type Chat} from './chat.context.tsx'
import {editFilesKey, type EditDraft} from './use-edit-draft.ts'
import type {Attachment} from './attachment.ts'
import type {OfferedModel} from './model-catalogue.ts'
import {openingFiles, withdrawFiles} from './opening-files.ts'
import {useFiles} from './use-files.ts'

/** Returns the key of the files of an edited message; a version that another page put in its place has the same files. */
function filesKeyOf({drafts, files}: Pick<Chat, 'drafts' | 'files'>, keys: readonly string[]): string {
  const fileKeys = keys.map(editFilesKey)
  return (
    fileKeys.find((key) => drafts.read(key) !== undefined || files.opened.get().has(key)) ??
    fileKeys[0] ??
    editFilesKey('edit')
  )
}

const urlOf = (file: Attachment) => (file.state === 'ready' ? file.url : undefined)

/**
 * The files of a sent message while it is edited: `initial` at first. They are kept with its text, so that uploads go on
 * while another screen is shown, and go when the edit is cancelled or sent.
 */
export function useEditedFiles(
  message: RecordMessage,
  keys: readonly string[],
  draft: EditDraft,
  initial: readonly FileReference[],
) {
  const chat = useChat()
  const {drafts} = chat
  const [key] = useState(() => filesKeyOf(chat, keys))
  const [keptReferences] = useState(() => drafts.read(key)?.references ?? initial)
  const files = useFiles(chat.files, key, keptReferences)
  const {uploads, attachments} = files
  const isSame = (url: string | undefined) => initial.some((file) => file.url === url)
  const urls = uploads === undefined ? keptReferences.map(({url}) => url) : attachments.map(urlOf)
  const isComing = openingFiles(chat.files.opening, key) > 0
  const isChanged = isComing || !(urls.length === initial.length && urls.every(isSame))
  const question = messageText(message.content)
  const enter = useEffectEvent(() => {
    // with its text the draft stays when its last file is taken out
    if (drafts.read(key) === undefined && initial.length > 0) drafts.write(key, {text: question, references: initial})
  })
  const leave = useEffectEvent(() => {
    if (draft.read() !== undefined) return
    withdrawFiles(chat.files.opening, key)
    chat.files.opened.get().get(key)?.close()
    drafts.write(key, undefined)
  })
  useLayoutEffect(() => {
    enter()
    return () => leave()
  }, [])
  /** An editor with other files is there again, as one with other words is. */
  const keep = useEffectEvent(() => {
    const typedText = draft.read()
    if (isChanged && typedText === undefined) draft.write(question)
    if (!isChanged && typedText === question) draft.write(undefined)
  })
  useLayoutEffect(() => {
    keep()
  }, [isChanged])
  return {
    ...files,
    key,
    isChanged,
    draft: {...draft, write: (text?: string) => draft.write(text ?? (isChanged ? question : undefined))},
    /** The message for this model. */
    messageFor: (question: string, model: OfferedModel | undefined): QuestionContent =>
      uploads?.messageFor(question, model) ?? {question, ...namedFiles(keptReferences)},
  }
}
