import {createValueStore} from '#browser/value-store.ts'
import type {ModelGroup} from '#contract/models.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {isImageUrl} from '#domain/image-extensions.ts'
import type {UploadedReference} from './draft.types.ts'
import type {OfferedModel} from './model-catalogue.ts'

/** Most attachments of a message (contract/chat §6). */
export const mostFiles = 10

/** Uploads one file; `onProgress` gets 0 to 1. Rejects with a value that `toFailure` can read. */
export type Upload = (
  file: File,
  options: {onProgress: (share: number) => void; signal: AbortSignal},
) => Promise<{url: string}>

type Progress =
  {state: 'uploading'; share: number} | {state: 'ready'; url: string} | {state: 'failed'; failure: Failure}
export type Attachment = {
  id: number
  name: string
  size: number | undefined
  isImage: boolean
  file: File | undefined
  /** The pasted text that became this file. */
  pasted: string | undefined
} & Progress

/** Why something that was added is no attachment. */
export type LeftOut = 'tooMany' | 'folder'

/** Why the chosen model cannot accept an attachment. */
export function refusalOf(
  attachment: Pick<Attachment, 'isImage'>,
  model: OfferedModel | undefined,
): 'files' | 'images' | undefined {
  if (model === undefined || model.takesFiles) return undefined
  if (attachment.isImage) return model.takesImages ? undefined : 'files'
  return model.takesImages ? 'images' : 'files'
}

const fromReference = (reference: UploadedReference, id: number): Attachment => ({
  id,
  name: reference.name,
  size: reference.size,
  isImage: isImageUrl(reference.name) || isImageUrl(reference.url),
  file: undefined,
  pasted: undefined,
  state: 'ready',
  url: reference.url,
})

const empty: Failure = {code: 'file_empty', detail: ''}

/** What of a drop or paste are files; `entries` as the browser names them, where it does. */
function withoutFolders(files: readonly File[], entries: readonly (FileSystemEntry | null)[]): readonly File[] {
  const folders = new Set(entries.flatMap((entry) => (entry?.isDirectory ? [entry.name] : [])))
  return files.filter(({name}) => !folders.has(name))
}

const pastedName = (taken: readonly Attachment[]) => {
  const number = taken.filter(({pasted}) => pasted !== undefined).length
  return number === 0 ? 'pasted-text.txt' : `pasted-text-${number + 1}.txt`
}

/** The attachments of one unsent message and their uploads. */
export function createUploads(upload: Upload, onClose: () => void, groups: () => readonly ModelGroup[]) {
  const attachments = createValueStore<readonly Attachment[]>([])
  const leftOut = createValueStore<LeftOut | undefined>(undefined)
  /** How often Send was pressed while something held the message; each press says again what. */
  const presses = createValueStore(0)
  const running = new Map<number, AbortController>()
  let nextId = 0

  const settle = (id: number, progress: Progress) =>
    attachments.set(attachments.get().map((each) => (each.id === id ? {...each, ...progress} : each)))
  const start = (id: number, file: File) => {
    const controller = new AbortController()
    const {signal} = controller
    running.set(id, controller)
    const end = (progress: Progress) => {
      if (running.get(id) !== controller) return
      running.delete(id)
      settle(id, progress)
    }
    const onProgress = (share: number) => running.get(id) === controller && settle(id, {state: 'uploading', share})
    upload(file, {signal, onProgress}).then(
      ({url}) => end({state: 'ready', url}),
      (error: unknown) => end({state: 'failed', failure: toFailure(error)}),
    )
  }
  const stop = (id: number) => {
    const controller = running.get(id)
    running.delete(id)
    controller?.abort()
  }
  const addOne = (file: File, pasted?: string) => {
    const id = nextId
    nextId += 1
    const isImage = file.type.startsWith('image/') || isImageUrl(file.name)
    const known = {id, name: file.name, size: file.size, isImage, file, pasted}
    const progress: Progress = file.size === 0 ? {state: 'failed', failure: empty} : {state: 'uploading', share: 0}
    attachments.set([...attachments.get(), {...known, ...progress}])
    if (file.size > 0) start(id, file)
  }
  const free = () => Math.max(0, mostFiles - attachments.get().length)
  const take = (id: number) => {
    stop(id)
    attachments.set(attachments.get().filter((each) => each.id !== id))
    leftOut.set(undefined)
    presses.set(0)
  }

  return {
    get: attachments.get,
    subscribe: attachments.subscribe,
    leftOut,
    presses,
    /** Groups of models that the site offers: one of another group may take the files. */
    groups,
    press: () => presses.set(presses.get() + 1),
    add(given: readonly File[], entries: readonly (FileSystemEntry | null)[] = []) {
      const files = withoutFolders(given, entries)
      if (given.length === 0) return
      leftOut.set(files.length > free() ? 'tooMany' : files.length < given.length ? 'folder' : undefined)
      for (const file of files.slice(0, free())) addOne(file)
    },
    /** A long text as a file; nothing where there is no room for one. */
    addText(pasted: string) {
      leftOut.set(free() === 0 ? 'tooMany' : undefined)
      const name = pastedName(attachments.get())
      if (free() > 0) addOne(new File([pasted], name, {type: 'text/plain'}), pasted)
    },
    retry(id: number) {
      const file = attachments.get().find((each) => each.id === id)?.file
      if (file === undefined) return
      settle(id, {state: 'uploading', share: 0})
      start(id, file)
    },
    remove: take,
    /** The message was sent, or its session ended: uploads end. */
    close() {
      for (const id of [...running.keys()]) stop(id)
      onClose()
    },
    /** What is uploaded is what the draft says: others write it as well. */
    follow(references: readonly UploadedReference[]) {
      const drafted = new Set(references.map(({url}) => url))
      const kept = attachments.get().filter((each) => each.state !== 'ready' || drafted.delete(each.url))
      const missing = references.filter(({url}) => drafted.has(url))
      const fit = missing.slice(0, Math.max(0, mostFiles - kept.length))
      const added = fit.map((each) => fromReference(each, nextId++))
      if (fit.length < missing.length) leftOut.set('tooMany')
      if (added.length > 0 || kept.length < attachments.get().length) attachments.set([...kept, ...added])
    },
    /** The files that are not uploaded. */
    unfinished: () => attachments.get().flatMap(({state, file}) => (state === 'ready' || !file ? [] : [file])),
    /** References of the uploaded attachments. */
    references: (): UploadedReference[] =>
      attachments
        .get()
        .flatMap((each) => (each.state === 'ready' ? [{url: each.url, name: each.name, size: each.size}] : [])),
    /** Some are on their way, failed, or not to be sent to this model: the message waits. */
    holds: (model: OfferedModel | undefined) =>
      attachments.get().some((each) => each.state !== 'ready' || refusalOf(each, model) !== undefined),
    isTakenBy: (model: OfferedModel) => attachments.get().every((each) => refusalOf(each, model) === undefined),
  }
}
export type Uploads = ReturnType<typeof createUploads>

/**
 * Takes files that are dropped anywhere on the page, for which the browser would leave it, until `listening` is aborted.
 * `onDrop` gets the entries of the files too: they tell folders.
 */
export function listenToDrops(
  {signal}: AbortController,
  onDrag: (isOver: boolean) => void,
  onDrop: (files: FileList, entries: (FileSystemEntry | null)[]) => void,
) {
  const hear = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent, transfer: DataTransfer) => void) =>
    addEventListener(
      type,
      (event) => {
        const transfer = event.dataTransfer
        if (transfer?.types.includes('Files') !== true) return
        if (type !== 'dragleave') event.preventDefault()
        act(event, transfer)
      },
      {signal},
    )
  hear('dragover', () => onDrag(true))
  hear('dragleave', (event) => event.relatedTarget === null && onDrag(false))
  hear('drop', (_, {files, items}) => {
    onDrag(false)
    onDrop(
      files,
      [...items].map((item) => item.webkitGetAsEntry()),
    )
  })
}
