import type {AnyActorRef} from 'xstate'
import type {ModelGroup} from '#contract/models.ts'
import {createUuid} from '#api/random.ts'
import {namedFiles, type QuestionContent} from '#domain/conversation.ts'
import {isLostFile, lostUrlOf} from '#domain/lost-file.ts'
import type {Failure} from '#domain/failure.ts'
import {
  selectLostFile,
  selectUpload,
  type DraftFilesActor,
  type DraftFilesSnapshot,
} from '#machines/draft-files/draft-files.machine.ts'
import type {DraftFile, FileReference} from '#machines/draft-files/draft-files.types.ts'
import type {LostFileActor} from '#machines/lost-file/lost-file.machine.ts'
import type {UploadActor} from '#machines/upload/upload.machine.ts'
import type {OfferedModel} from './model-catalogue.ts'
import {createDraftBytes} from './draft-bytes.ts'
import {pastedTextName} from './pasted-text.ts'
import {isFinal, isQuoted, type Attachment} from './attachment.ts'
import {takesAll} from './model-refusal.ts'
import {withQuotedTexts} from './quoted-text.ts'

const empty: Failure = {code: 'file_empty', detail: ''}
const tooLarge: Failure = {code: 'content_too_large', detail: ''}

export type UploadsDeps = {
  /** Starts the chart over the bytes that the page holds. */
  start: (fileOf: (id: string) => File) => DraftFilesActor
  groups: () => readonly ModelGroup[]
  /** The message was sent, its session ended, or the chart broke. */
  onClose: () => void
}

/** The files of a drop or paste, without its folders; `entries` as the browser names them, where it does. */
function withoutFolders(files: readonly File[], entries: readonly (FileSystemEntry | null)[]): readonly File[] {
  const folders = new Set(entries.flatMap((entry) => (entry?.isDirectory ? [entry.name] : [])))
  return files.filter(({name}) => !folders.has(name))
}

type Children = {upload: UploadActor | undefined; lostFile: LostFileActor | undefined}
const childrenOf = (snapshot: DraftFilesSnapshot, id: string): Children => ({
  upload: selectUpload(snapshot, id),
  lostFile: selectLostFile(snapshot, id),
})

/** How a file stands: uploaded, or what its upload or the other tabs say. */
function progressOf(draftFile: DraftFile, {upload, lostFile}: Children) {
  const {url} = draftFile
  if (isLostFile(draftFile)) return {state: lostFile?.getSnapshot().value ?? 'lost'} as const
  if (url !== undefined) return {state: 'ready', url} as const
  const snapshot = upload?.getSnapshot()
  const {percent = 0, failure, fault} = snapshot?.context ?? {}
  if (fault?.kind === 'size') return {state: 'failed', failure: tooLarge, largest: fault.maxBytes} as const
  if (fault !== undefined) return {state: 'failed', failure: empty} as const
  return snapshot?.hasTag('failed') === true && failure !== undefined
    ? ({state: 'failed', failure} as const)
    : ({state: 'uploading', share: percent / 100} as const)
}

/**
 * The attachments of chart and uploads: the same array while none of them changes, as `useSyncExternalStore` needs.
 */
function createReading(actor: DraftFilesActor, attachmentOf: (file: DraftFile, children: Children) => Attachment) {
  let lastSnapshots: readonly unknown[] = []
  let lastAttachments: readonly Attachment[] = []
  return () => {
    const snapshot = actor.getSnapshot()
    const {files} = snapshot.context
    const children = files.map(({id}) => childrenOf(snapshot, id))
    const snapshots = [
      files,
      ...children.flatMap(({upload, lostFile}) => [upload?.getSnapshot(), lostFile?.getSnapshot()]),
    ]
    if (snapshots.some((each, index) => each !== lastSnapshots[index])) {
      lastSnapshots = snapshots
      lastAttachments = files.map((file) => attachmentOf(file, childrenOf(snapshot, file.id)))
    }
    return lastAttachments
  }
}

/** The session logs what broke its chart. */
const leftToSession = () => undefined

type ReadyAttachment = Extract<Attachment, {state: 'ready'}>
const isReady = (each: Attachment): each is ReadyAttachment => each.state === 'ready'
/** Its bytes are not in this page. */
const isAway = ({state}: Attachment) => ['asking', 'elsewhere', 'lost'].includes(state)
/** As the draft names it: a page that comes after this one knows what it has to ask for. */
const referenceOf = (attachment: Attachment): FileReference => ({
  ...(isReady(attachment) ? {url: attachment.url} : {url: lostUrlOf(attachment), id: attachment.id}),
  name: attachment.name,
  size: attachment.size,
  ...(attachment.pasted !== undefined && {text: attachment.pasted}),
})

/** The message for this model: the question with the texts that it gets as a part of it, and the files. */
function messageOf(
  attachments: readonly Attachment[],
  question: string,
  model: OfferedModel | undefined,
): QuestionContent {
  const quotedTexts = attachments.flatMap((each) => (isQuoted(each, model) ? (each.pasted ?? []) : []))
  const files = attachments.filter((each) => !isQuoted(each, model))
  return {
    question: withQuotedTexts(question, quotedTexts),
    ...namedFiles(files.filter(isReady)),
  }
}

/** Some are on their way, failed, or not to be sent to this model: the message waits. */
const holdsMessage = (attachments: readonly Attachment[], model: OfferedModel | undefined) =>
  !takesAll(attachments, model) || attachments.some((each) => !isQuoted(each, model) && !isReady(each))

/** The attachments of one unsent message, over the chart that uploads them (machines/draft-files). */
export function createUploads({start, groups, onClose}: UploadsDeps) {
  const bytes = createDraftBytes()
  const actor = start(bytes.fileOf)
  const attachments = createReading(actor, (file, children) => {
    const {id, name, size, isImage} = file
    const facts = {id, name, size, isImage, file: bytes.find(id), pasted: file.text ?? bytes.textOf(id)}
    return {...facts, ...progressOf(file, children)}
  })
  const listeners = new Set<() => void>()
  const followedChildren = new Set<AnyActorRef>()
  const look = () => {
    const snapshot = actor.getSnapshot()
    for (const {id} of snapshot.context.files) {
      const {upload, lostFile} = childrenOf(snapshot, id)
      const child: AnyActorRef | undefined = upload ?? lostFile
      if (child === undefined || followedChildren.has(child)) continue
      followedChildren.add(child)
      child.subscribe({next: look, complete: () => void followedChildren.delete(child)})
    }
    // a file that found no room goes too
    bytes.keepOnly(snapshot.context.files.map(({id}) => id))
    for (const listener of listeners) listener()
  }
  actor.subscribe({next: look, complete: onClose, error: onClose})
  const references = (): FileReference[] => attachments().flatMap((each) => (isFinal(each) ? [] : [referenceOf(each)]))
  /** Files of other pages that are here now: they were chosen again. */
  const dropLost = (files: readonly File[]) => {
    const urls = files.map(lostUrlOf)
    for (const each of attachments())
      if (isAway(each) && urls.includes(lostUrlOf(each))) actor.send({type: 'file.remove', id: each.id})
  }
  /** A value of the chart, in the form that `useSyncExternalStore` takes. */
  const part = <T>(select: (snapshot: DraftFilesSnapshot) => T) => ({
    get: () => select(actor.getSnapshot()),
    subscribe: (listener: () => void) => {
      const listening = actor.subscribe({next: listener, error: leftToSession})
      return () => listening.unsubscribe()
    },
  })

  return {
    get: attachments,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** How many files go with the message: refused ones do not. */
    count: () => attachments().filter((each) => !isFinal(each)).length,
    leftOut: part(({context}) => context.leftOut),
    /** How often Send was pressed while something held the message; each press says again what. */
    presses: part(({context}) => context.presses),
    /** Send was pressed too early: the files are uploaded now, and nothing was sent. */
    isUnsent: part((snapshot) => snapshot.matches('unsent')),
    /** Groups of models that the site offers: one of another group may take the files. */
    groups,
    press: () => actor.send({type: 'send.held'}),
    /** The text of the message was changed. */
    edit: () => actor.send({type: 'draft.edited'}),
    /** More files came than a message may have: it does not get these. */
    refuse: (names: readonly string[]) => actor.send({type: 'files.refused', names}),
    add(newFiles: readonly File[], entries: readonly (FileSystemEntry | null)[] = []) {
      const files = withoutFolders(newFiles, entries)
      if (newFiles.length === 0) return
      dropLost(files)
      const additions = files.map((file) => bytes.hold(file))
      actor.send({type: 'files.add', files: additions, hasFolders: files.length < newFiles.length})
    },
    /** A long text as a file; nothing where there is no room for one. */
    addText(pastedText: string) {
      const number = attachments().filter((each) => each.pasted !== undefined).length
      const name = number === 0 ? pastedTextName : `pasted-text-${number + 1}.txt`
      const file = bytes.hold(new File([pastedText], name, {type: 'text/plain'}), pastedText)
      actor.send({type: 'files.add', files: [file], hasFolders: false})
    },
    retry: (id: string) => actor.send({type: 'file.retry', id}),
    remove: (id: string) => actor.send({type: 'file.remove', id}),
    /** The uploads ended with the session or broke: the message is not sent. */
    isLost: () => ['stopped', 'error'].includes(actor.getSnapshot().status),
    /** The message was sent: uploads end. */
    close: () => actor.send({type: 'draft.closed'}),
    /** Follows the draft: others write it as well, and the uploads are those that it names. */
    follow: (draftReferences: readonly FileReference[]) =>
      actor.send({
        type: 'draft.followed',
        references: draftReferences,
        ids: draftReferences.map(({id}) => id ?? createUuid()),
      }),
    /** The files that are not uploaded. */
    unfinished: () => attachments().flatMap((each) => (isReady(each) || each.file === undefined ? [] : [each.file])),
    /** The files as the draft names them. */
    references,
    messageFor: (question: string, model: OfferedModel | undefined) => messageOf(attachments(), question, model),
    holds: (model: OfferedModel | undefined) => holdsMessage(attachments(), model),
    isTakenBy: (model: OfferedModel) => takesAll(attachments(), model),
  }
}
export type Uploads = ReturnType<typeof createUploads>
