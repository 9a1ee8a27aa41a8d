import {useActor} from '@xstate/react'
import {useEffectEvent, useLayoutEffect, useState} from 'react'
import {distinctUntilChanged, map, merge, Observable, of, switchMap} from 'rxjs'
import {messageText, namedFiles, type QuestionContent, type RecordMessage} from '#domain/conversation.ts'
import type {FileReference} from '#machines/draft-files/draft-files.types.ts'
import {createEditedFilesMachine} from '#machines/edited-files/edited-files.machine.ts'
import type {FilesSeen} from '#machines/edited-files/edited-files.types.ts'
import {useChat, type Chat} from './chat.context.tsx'
import {editFilesKey, type EditDraft} from './use-edit-draft.ts'
import type {Attachment} from './attachment.ts'
import type {OfferedModel} from './model-catalogue.ts'
import {openingFiles, withdrawFiles} from './opening-files.ts'
import {useFiles} from './use-files.ts'

/** Returns the key of an edited message's files; a version by which another page replaced it has the same. */
function filesKeyOf({drafts, files}: Pick<Chat, 'drafts' | 'files'>, keys: readonly string[]): string {
  const fileKeys = keys.map(editFilesKey)
  return (
    fileKeys.find((key) => drafts.read(key) !== undefined || files.opened.get().has(key)) ??
    fileKeys[0] ??
    editFilesKey('edit')
  )
}

const urlOf = (file: Attachment) => (file.state === 'ready' ? file.url : undefined)
const changesOf = ({subscribe}: {subscribe: (listener: () => void) => () => void}) =>
  new Observable<void>((observer) => {
    observer.next()
    return subscribe(() => observer.next())
  })

type EditedFiles = {
  key: string
  /** Those that were sent. */
  initial: readonly FileReference[]
  /** Those that wait with an earlier edit, else the sent ones. */
  kept: readonly FileReference[]
}

/** Says at once, and whenever it changes, whether the files are others than those that were sent. */
function filesSeen({opened, opening}: Chat['files'], {key, initial, kept}: EditedFiles): Observable<FilesSeen> {
  const uploadsNow = () => opened.get().get(key)
  const isSame = (url: string | undefined) => initial.some((file) => file.url === url)
  const isChanged = () => {
    const urls = uploadsNow()?.get().map(urlOf) ?? kept.map(({url}) => url)
    return openingFiles(opening, key) > 0 || !(urls.length === initial.length && urls.every(isSame))
  }
  const uploads$ = changesOf(opened).pipe(map(uploadsNow), distinctUntilChanged())
  const attachments$ = uploads$.pipe(
    switchMap((uploads) => (uploads === undefined ? of(undefined) : changesOf(uploads))),
  )
  return merge(attachments$, changesOf(opening)).pipe(
    map(isChanged),
    distinctUntilChanged(),
    map((isChanged) => ({type: 'files.seen', isChanged})),
  )
}

type Ports = {chat: Chat; draft: EditDraft; question: string; source: EditedFiles; open: () => void}

/** The ports of the chart, over the drafts of the chat. */
const portsOf = ({chat, draft, question, source, open}: Ports) => {
  const {drafts, files} = chat
  const {key, initial, kept} = source
  return {
    openFiles() {
      // with its text the draft stays when its last file is taken out
      if (drafts.read(key) === undefined && initial.length > 0) drafts.write(key, {text: question, references: initial})
      const uploads = files.opened.get().get(key)
      if (uploads !== undefined) uploads.follow(kept)
      else if (kept.length > 0) open()
    },
    keepWords() {
      if (draft.read() === undefined) draft.write(question)
    },
    dropWords() {
      if (draft.read() === question) draft.write(undefined)
    },
    dropFiles() {
      withdrawFiles(files.opening, key)
      files.opened.get().get(key)?.close()
      drafts.write(key, undefined)
    },
  }
}

const none: readonly FileReference[] = []

/**
 * The files of a sent message while it is edited: `initial` at first. They are kept with its text, so that uploads go
 * on while another screen is shown, and go when the edit is cancelled or sent.
 */
export function useEditedFiles(
  message: RecordMessage,
  keys: readonly string[],
  draft: EditDraft,
  initial: readonly FileReference[],
) {
  const chat = useChat()
  const [source] = useState<EditedFiles>(() => {
    const key = filesKeyOf(chat, keys)
    return {key, initial, kept: chat.drafts.read(key)?.references ?? initial}
  })
  const {key, kept} = source
  const files = useFiles(chat.files, key, none)
  const {uploads, use} = files
  const question = messageText(message.content)
  const [machine] = useState(() => createEditedFilesMachine(filesSeen(chat.files, source)))
  // the draft is another one when the message gets another name: each rendering fills the ports anew
  const actions = portsOf({chat, draft, question, source, open: use})
  const [snapshot, send] = useActor(machine.provide({actions}))
  const isChanged = snapshot.matches({there: 'changed'})
  const hasWords = useEffectEvent(() => draft.read() !== undefined)
  useLayoutEffect(() => {
    send({type: 'editor.entered'})
    return () => send({type: 'editor.left', hasWords: hasWords()})
  }, [send])
  return {
    ...files,
    key,
    isChanged,
    draft: {...draft, write: (text?: string) => draft.write(text ?? (isChanged ? question : undefined))},
    /** The message for this model. */
    messageFor: (question: string, model: OfferedModel | undefined): QuestionContent =>
      uploads?.messageFor(question, model) ?? {question, ...namedFiles(kept)},
  }
}
