import {assign, enqueueActions, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {fileFault, typeOfFile} from '#domain/file-rules.ts'
import {isImageUrl} from '#domain/image-extensions.ts'
import {isLostFile, lostUrlOf} from '#domain/lost-file.ts'
import {isFileRefusal, mostFiles} from '#domain/attachment-limit.ts'
import {lostFileMachine, type LostFileActor} from '#machines/lost-file/lost-file.machine.ts'
import {uploadMachine, type UploadActor} from '#machines/upload/upload.machine.ts'
import type {UploadFact} from '#machines/upload/upload.types.ts'
import type {DraftFile, DraftFilesEvent, DraftFilesInput, FileReference, LeftOut, NewFile} from './draft-files.types.ts'

type Context = DraftFilesInput & {
  files: readonly DraftFile[]
  leftOut: LeftOut | undefined
  /** How often Send was pressed while something held the message; each press says again what. */
  presses: number
}
type FileId = {id: string}
type UploadFailed = Pick<Extract<UploadFact, {type: 'upload.failed'}>, 'id' | 'fault' | 'failure'>

const uploadId = (id: string) => `upload/${id}` as const
const lostFileId = (id: string) => `lostFile/${id}` as const

/**
 * How many files of a message travel at once: a browser opens six connections to a server, and questions and answers
 * need some of them.
 */
const mostTransfers = 2

/** A message takes files of every type, and of every size where the server names no largest one. */
const ruleFor = (file: NewFile, largestFile = Number.MAX_SAFE_INTEGER) => ({
  types: [typeOfFile(file)],
  maxBytes: largestFile,
})

const isRefusedByRule = (file: NewFile, largestFile: number | undefined) =>
  fileFault(file, ruleFor(file, largestFile)) !== undefined

const fromNew = ({id, name, size, isImage, isPasted}: NewFile, isRefused: boolean): DraftFile => ({
  ...{id, name, size, isImage, isPasted},
  isRefused,
  upload: isRefused ? 'failed' : 'queued',
})

const withUpload = (files: readonly DraftFile[], ids: readonly string[], upload: 'running' | 'failed'): DraftFile[] =>
  files.map((file) => (ids.includes(file.id) ? {...file, upload} : file))

const isUnfinished = (file: DraftFile) => file.url === undefined || isLostFile(file)

/** How many more files a message may have. */
const freeSlots = (files: readonly DraftFile[]) =>
  Math.max(0, mostFiles - files.filter(({isRefused}) => !isRefused).length)

/** The new files for which there is room, in order. Of refused ones as many are shown as a message may have. */
function fitting({files, largestFile}: Pick<Context, 'files' | 'largestFile'>, newFiles: readonly NewFile[]) {
  const refusedFiles = newFiles.filter((file) => isRefusedByRule(file, largestFile))
  const shownRefused = files.filter(({isRefused}) => isRefused).length
  const fittingFiles = new Set([
    ...newFiles.filter((file) => !refusedFiles.includes(file)).slice(0, freeSlots(files)),
    ...refusedFiles.slice(0, Math.max(0, mostFiles - shownRefused)),
  ])
  return newFiles.filter((file) => fittingFiles.has(file))
}

const tooMany = (files: readonly {name: string}[]): LeftOut => ({why: 'tooMany', names: files.map(({name}) => name)})

const isImage = ({name, url}: FileReference) => isImageUrl(name) || isImageUrl(url)

function leftOutOf(added: readonly NewFile[], fittingFiles: readonly NewFile[], hasFolders: boolean) {
  if (added.length > fittingFiles.length) return tooMany(added.filter((file) => !fittingFiles.includes(file)))
  return hasFolders ? ({why: 'folder'} as const) : undefined
}

/** On its way here, which a draft calls lost. */
const isHere = (file: DraftFile, {url}: FileReference) => file.url === undefined && lostUrlOf(file) === url

/** A lost file that was chosen again has another id; drafts of earlier versions name none. */
const isSame = ({id, url}: DraftFile, reference: FileReference) =>
  url === reference.url && (reference.id === undefined || reference.id === id)

/**
 * The files that stay, each with its position in the draft. One on its way here stays also where the draft does not name
 * it, behind the file before it.
 */
function keptFiles(files: readonly DraftFile[], references: readonly FileReference[]) {
  const positions = new Map<DraftFile, number>()
  for (const [position, reference] of references.entries()) {
    const file = files.find((each) => !positions.has(each) && (isHere(each, reference) || isSame(each, reference)))
    if (file !== undefined) positions.set(file, position)
  }
  let position = -1
  return files.flatMap((file) => {
    position = positions.get(file) ?? position
    return file.url === undefined || positions.has(file) ? [{file, position}] : []
  })
}

/**
 * The files after the draft was written here or elsewhere, in its order: another one would be a change of the draft.
 * More than a message may have are left out.
 */
function followed(files: readonly DraftFile[], references: readonly FileReference[], ids: readonly string[]) {
  const stayingFiles = keptFiles(files, references)
  const takenPositions = new Set(stayingFiles.map(({position}) => position))
  const missing = references.flatMap((reference, position) =>
    takenPositions.has(position) || files.some((file) => isHere(file, reference)) ? [] : [{reference, position}],
  )
  const fit = missing.slice(0, freeSlots(stayingFiles.map(({file}) => file)))
  const newFiles = fit.map(({reference, position}) => ({
    position,
    file: {
      ...reference,
      id: ids[position] ?? reference.url,
      isImage: isImage(reference),
      isPasted: reference.text !== undefined,
      isRefused: false,
    },
  }))
  return {
    files: [...stayingFiles, ...newFiles].sort((one, other) => one.position - other.position).map(({file}) => file),
    cutFiles: missing.slice(fit.length).map(({reference}) => reference),
  }
}

/**
 * The files of one unsent message (decision 0093), each on its way by an `upload` of its own, two at once and in order.
 * Owned by the session, whatever is on screen; ends when the message is sent or the session ends.
 *
 * `waiting`: some are on their way, failed or lost, and hold the message; the uploads know which. `ready`: all are
 * uploaded. `held` and `unsent` are the same after Send was pressed and nothing was sent: nothing is sent then until it
 * is pressed again. A `lostFile` follows each that another tab may have on its way.
 */
export const draftFilesMachine = setup({
  types: {input: {} as DraftFilesInput, context: {} as Context, events: {} as DraftFilesEvent},
  actors: {upload: uploadMachine, lostFile: lostFileMachine},
  guards: {
    isEmpty: ({context}) => context.files.length === 0,
    isWaiting: ({context}) => context.files.some(isUnfinished),
    isWaitingWithout: ({context}, {id}: FileId) => context.files.some((file) => file.id !== id && isUnfinished(file)),
    canRetry: ({context}, {id}: FileId) =>
      context.files.some(
        (file) => file.id === id && file.url === undefined && file.upload === 'failed' && !file.isRefused,
      ),
    isUnfinished: ({context}, {id}: FileId) => context.files.some((file) => file.id === id && isUnfinished(file)),
  },
  actions: {
    add: enqueueActions(
      ({enqueue, context, self}, {files, hasFolders}: {files: readonly NewFile[]; hasFolders: boolean}) => {
        const fittingFiles = fitting(context, files)
        for (const file of fittingFiles) {
          const {id, name, type, size} = file
          const input = {
            parentRef: self,
            file: {id, name, type, size},
            field: 'draft',
            rule: ruleFor(file, context.largestFile),
          }
          enqueue.spawnChild('upload', {id: uploadId(id), input})
        }
        enqueue.assign({
          files: [
            ...context.files,
            ...fittingFiles.map((file) => fromNew(file, isRefusedByRule(file, context.largestFile))),
          ],
          leftOut: leftOutOf(files, fittingFiles, hasFolders),
        })
      },
    ),
    /** Gives waiting files the free slots. */
    startUploads: enqueueActions(({enqueue, context: {files}}) => {
      const running = files.filter(({upload, url}) => upload === 'running' && url === undefined).length
      const ids = files.flatMap(({id, upload}) => (upload === 'queued' ? [id] : []))
      const next = ids.slice(0, Math.max(0, mostTransfers - running))
      enqueue.assign({files: withUpload(files, next, 'running')})
      for (const id of next) enqueue.sendTo(uploadId(id), {type: 'upload.start'})
    }),
    retry: enqueueActions(({enqueue, context}, {id}: FileId) => {
      enqueue.assign({files: withUpload(context.files, [id], 'running')})
      enqueue.sendTo(uploadId(id), {type: 'upload.retry'})
    }),
    remove: enqueueActions(({enqueue, context}, {id}: FileId) => {
      enqueue.stopChild(uploadId(id))
      enqueue.stopChild(lostFileId(id))
      enqueue.assign({files: context.files.filter((file) => file.id !== id), leftOut: undefined})
    }),
    settle: enqueueActions(({enqueue, context}, {id, url}: FileId & {url: string}) => {
      enqueue.stopChild(uploadId(id))
      enqueue.stopChild(lostFileId(id))
      enqueue.assign({files: context.files.map((file) => (file.id === id ? {...file, url} : file))})
    }),
    storeRefusal: assign(({context}, {id, fault, failure}: UploadFailed) => {
      const isRefused = fault !== undefined || (failure !== undefined && isFileRefusal(failure))
      const files = context.files.map((file) => (file.id === id ? {...file, isRefused} : file))
      return {files: withUpload(files, [id], 'failed')}
    }),
    follow: enqueueActions(
      ({enqueue, context, self}, {references, ids}: {references: readonly FileReference[]; ids: readonly string[]}) => {
        const {files, cutFiles} = followed(context.files, references, ids)
        for (const {id} of context.files.filter((file) => isLostFile(file) && !files.includes(file)))
          enqueue.stopChild(lostFileId(id))
        for (const {id} of files.filter((file) => isLostFile(file) && !context.files.includes(file)))
          enqueue.spawnChild('lostFile', {id: lostFileId(id), input: {parentRef: self, id}})
        enqueue.assign({files, leftOut: cutFiles.length > 0 ? tooMany(cutFiles) : context.leftOut})
      },
    ),
    refuse: assign((_, {names}: {names: readonly string[]}) => ({leftOut: {why: 'tooMany' as const, names}})),
    countPress: assign(({context}) => ({presses: context.presses + 1})),
    clearPresses: assign({presses: 0}),
  },
}).createMachine({
  id: 'draftFiles',
  context: ({input}) => ({...input, files: [], leftOut: undefined, presses: 0}),
  initial: 'judging',
  on: {
    'files.add': {target: '.judging', actions: [{type: 'add', params: ({event}) => event}, 'startUploads']},
    'file.retry': {
      guard: {type: 'canRetry', params: ({event}) => event},
      actions: [{type: 'retry', params: ({event}) => event}],
    },
    'file.remove': {target: '.judging', actions: [{type: 'remove', params: ({event}) => event}, 'startUploads']},
    'upload.failed': {actions: [{type: 'storeRefusal', params: ({event}) => event}, 'startUploads']},
    'upload.settled': {
      guard: {type: 'isUnfinished', params: ({event}) => event},
      target: '.judging',
      actions: [{type: 'settle', params: ({event}) => event}, 'startUploads'],
    },
    'draft.followed': {target: '.judging', actions: [{type: 'follow', params: ({event}) => event}]},
    'files.refused': {actions: [{type: 'refuse', params: ({event}) => event}]},
    'draft.closed': {target: '.over'},
  },
  states: {
    judging: {
      entry: ['clearPresses'],
      always: [{guard: 'isEmpty', target: 'empty'}, {guard: 'isWaiting', target: 'waiting'}, {target: 'ready'}],
    },
    empty: {},
    waiting: {on: {'send.held': {target: 'held', actions: ['countPress']}}},
    // the model may take none of them
    ready: {on: {'send.held': {target: 'unsent', actions: ['countPress']}}},
    judgingHeld: {
      always: [{guard: 'isEmpty', target: 'judging'}, {guard: 'isWaiting', target: 'held'}, {target: 'unsent'}],
    },
    held: {
      on: {
        'send.held': {actions: ['countPress']},
        'files.add': {target: 'judgingHeld', actions: [{type: 'add', params: ({event}) => event}, 'startUploads']},
        'file.remove': {
          guard: {type: 'isWaitingWithout', params: ({event}) => event},
          actions: [{type: 'remove', params: ({event}) => event}, 'startUploads'],
        },
        'upload.settled': {
          guard: {type: 'isUnfinished', params: ({event}) => event},
          target: 'judgingHeld',
          actions: [{type: 'settle', params: ({event}) => event}, 'startUploads'],
        },
        'draft.followed': {target: 'judgingHeld', actions: [{type: 'follow', params: ({event}) => event}]},
      },
    },
    unsent: {
      on: {
        'send.held': {actions: ['countPress']},
        'draft.edited': {target: 'judging'},
        'draft.followed': {target: 'judgingHeld', actions: [{type: 'follow', params: ({event}) => event}]},
      },
    },
    over: {type: 'final'},
  },
})

export type DraftFilesActor = ActorRefFrom<typeof draftFilesMachine>
export type DraftFilesLogic = typeof draftFilesMachine
export type DraftFilesSnapshot = SnapshotFrom<typeof draftFilesMachine>

/** The upload of a file; undefined once it is uploaded. */
export const selectUpload = ({children}: DraftFilesSnapshot, id: string) =>
  children[uploadId(id)] as UploadActor | undefined // as: spawned under its own name
/** How a file stands that is not uploaded and not in this page. */
export const selectLostFile = ({children}: DraftFilesSnapshot, id: string) =>
  children[lostFileId(id)] as LostFileActor | undefined // as: spawned under its own name
