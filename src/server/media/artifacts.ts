import {and, eq, inArray} from 'drizzle-orm'
import {randomUUID} from 'node:crypto'
import {fileTypeFromFile} from 'file-type'
import type {StoredArtifact, Medium} from '#contract/media/media-tool.ts'
import {cutText} from '#domain/cut-text.ts'
import type {ServerDeps} from '../deps.ts'
import {cleanFileName} from '../files/file-name.ts'
import {newFileId} from '../files/file-store.ts'
import {fileTypes} from '../files/file-types.ts'
import {receiveFile} from '../files/incoming-file.ts'
import {inspectFile, type Dimensions} from '../files/inspect-file.ts'
import {removeBytes} from '../files/remove-bytes.ts'
import {keepFile} from '../files/stored-files.ts'
import {HttpFailure} from '../http/failure.ts'
import type {MadeFile, MediaContent} from '../providers/media-provider.ts'
import {download} from '../providers/outbound.ts'
import {fetchMade} from '../providers/poll-job.ts'
import {ProviderFailure} from '../providers/provider.ts'
import type {Timers} from '../providers/timers.ts'
import {requireRun} from '../runs/run-store.ts'
import type {Transaction} from '../store/database.ts'
import {files} from '../store/schema/files.ts'
import {taskArtifacts} from '../store/schema/media.ts'
import {whileAway} from '../work/retry-while-away.ts'
import {fileMark} from './file-marks.ts'
import {taskRuns, type TaskRow} from './task-store.ts'

const megabyte = 1_048_576
/** Bytes of one result. */
const largest: Record<Medium, number> = {image: 50 * megabyte, audio: 200 * megabyte, video: 500 * megabyte, text: 0}

export type ArtifactParts = {deps: ServerDeps; timers: Timers; task: TaskRow; signal: AbortSignal}
/** The provider of results, and its origin if it is the operator's own server. */
export type ArtifactSource = {name: string; origin?: string | undefined}

export type ArtifactFile = {id: string; mark: string; type: string; size: Dimensions | undefined}

type MadeMedia = MadeFile & {medium: Exclude<Medium, 'text'>}
type KeptContent = {medium: Exclude<Medium, 'text'>; name: string; content: MediaContent; isMain: boolean}

/**
 * Copies one file of a provider into the user's own store: bounded in bytes, of the promised medium by its magic bytes
 * (security R29, R30), under the user's quota. A result is fetched again until it arrives or is gone, an accompanying
 * file once. `alongside` belongs to the same transaction.
 */
export async function keepContent(
  {deps, timers, task, signal}: ArtifactParts,
  source: ArtifactSource,
  {medium, name, content, isMain}: KeptContent,
  alongside: (transaction: Transaction, fileId: string) => Promise<unknown>,
): Promise<ArtifactFile> {
  const receive = async () => receiveFile(deps, await open(content, source, signal), signal, largest[medium])
  const incoming = await (isMain ? fetchMade({timers}, signal, receive) : receive())
  try {
    const detectedType = await fileTypeFromFile(incoming.path)
    const fileType = detectedType && fileTypes.get(detectedType.ext)
    if (!detectedType || fileType?.kind !== medium)
      throw new ProviderFailure('api_error', `${source.name} sent something else than the ${medium} it was asked for.`)
    const size = await inspectFile(incoming.path, fileType)
    const id = newFileId()
    const stem = cleanFileName(stemOf(name)) || medium
    const row = {
      id,
      userId: task.userId,
      name: `${cutText(stem, 80)}.${detectedType.ext}`,
      type: fileType.type,
      size: incoming.size,
      width: size?.width ?? null,
      height: size?.height ?? null,
    }
    const entering = async (transaction: Transaction) => {
      signal.throwIfAborted()
      // a run that was ended or taken over keeps nothing any more
      await requireRun(transaction, taskRuns, task)
      await alongside(transaction, id)
    }
    const patiently = (step: () => Promise<void>) => whileAway({timers, log: deps.log}, signal, step)
    await keepFile(deps, row, incoming, {alongside: entering, signal, patiently})
    return {id, mark: fileMark(row), type: row.type, size}
  } catch (error) {
    // A damaged file is the provider's failure; a full quota is the user's to mend.
    if (error instanceof HttpFailure && error.code === 'bad_request')
      throw new ProviderFailure('api_error', `${source.name} sent a damaged ${medium}.`, {cause: error})
    throw error
  } finally {
    await incoming.discard()
  }
}

const stemOf = (name: string): string => name.replace(/\.[A-Za-z0-9]{1,10}$/, '')

async function open(
  content: MediaContent,
  source: ArtifactSource,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (content instanceof Uint8Array) return oneOf(content)
  if ('open' in content) return content.open()
  const {bytes} = await download({upstream: source.name, address: content.address, ownOrigin: source.origin, signal})
  return bytes
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Stores the files of a provider, in order. The tool's own answer is written from the result. */
export async function keepFiles(
  parts: ArtifactParts,
  source: ArtifactSource,
  madeFiles: readonly MadeFile[],
): Promise<StoredArtifact[]> {
  const keptFiles: StoredArtifact[] = []
  const losses: ProviderFailure[] = []
  for (const file of madeFiles) {
    try {
      keptFiles.push(await keepOne(parts, source, file))
    } catch (error) {
      losses.push(lossOf(parts, source, file.medium, error))
    }
  }
  if (keptFiles.length === 0 && losses[0] !== undefined) throw losses[0]
  return keptFiles
}

/**
 * Why one of several results is left out: its server does not hand it out (any more). The others are paid for and stay,
 * so only a task that has none of them fails by it. The log names no address.
 *
 * @throws what ends the whole task: a stop, a full quota or disk, something else than was asked for
 */
export function lossOf(
  {deps, task, signal}: ArtifactParts,
  {name}: ArtifactSource,
  medium: Medium,
  error: unknown,
): ProviderFailure {
  if (signal.aborted || !(error instanceof ProviderFailure) || error.options.status === undefined) throw error
  deps.log.warn('a result was lost', {task: task.id, provider: name, medium, status: error.options.status})
  return error
}

async function keepOne(parts: ArtifactParts, source: ArtifactSource, file: MadeFile): Promise<StoredArtifact> {
  const id = randomUUID()
  const facts = {
    id,
    medium: file.medium,
    durationSeconds: file.durationSeconds,
    seed: file.seed,
    title: file.title,
    text: file.text,
    style: file.style,
    model: file.model,
    madeAt: parts.deps.now().toISOString(),
    ...(file.isFinal === undefined ? {} : {isFinal: file.isFinal}),
  }
  if (file.medium === 'text') {
    await keepText(parts, id)
    return {...facts, url: ''}
  }
  return {...facts, ...(await keepMedia(parts, source, id, {...file, medium: file.medium}))}
}

/** The row of a text, which has no file of its own. */
async function keepText({deps, task, timers, signal}: ArtifactParts, id: string): Promise<void> {
  await whileAway({timers, log: deps.log}, signal, () =>
    deps.database.asUser(task.userId, async (transaction) => {
      await requireRun(transaction, taskRuns, task)
      // it may be there from before a connection broke
      await transaction
        .insert(taskArtifacts)
        .values({...ownerOf(task), id, handle: id, medium: 'text'})
        .onConflictDoNothing()
    }),
  )
}

/** The files of an image, a video or a song: its preview, if there is one, and its own. */
async function keepMedia(parts: ArtifactParts, source: ArtifactSource, id: string, file: MadeMedia) {
  const owner = ownerOf(parts.task)
  const preview =
    file.preview &&
    (await keepContent(
      parts,
      source,
      {medium: 'image', name: `${stemOf(file.name)}-preview`, content: file.preview.file, isMain: false},
      (transaction, previewFileId) =>
        transaction.insert(taskArtifacts).values({...owner, handle: '', medium: 'image', previewFileId}),
    ))
  const main = await keepContent(
    parts,
    source,
    {medium: file.medium, name: file.name, content: file.file, isMain: true},
    (transaction, fileId) =>
      transaction.insert(taskArtifacts).values({...owner, handle: id, medium: file.medium, fileId}),
  )
  return {
    url: main.mark,
    previewUrl: preview?.mark,
    previewWidth: preview?.size?.width,
    previewHeight: preview?.size?.height,
    width: file.width ?? main.size?.width,
    height: file.height ?? main.size?.height,
  }
}

const ownerOf = ({id, userId, service}: TaskRow) => ({userId, taskId: id, service})

/** The user's result that a request names by its id. */
export async function findArtifact(
  transaction: Transaction,
  {userId, service, handle}: {userId: string; service: string; handle: string},
) {
  const [row] = await transaction
    .select()
    .from(taskArtifacts)
    .where(and(eq(taskArtifacts.userId, userId), eq(taskArtifacts.service, service), eq(taskArtifacts.handle, handle)))
    .limit(1)
  return row
}

/** Takes away all files of a task: before it is made anew, when it failed after all, and when it is deleted. */
export async function dropArtifacts(
  deps: ServerDeps,
  {id, userId}: {id: string; userId: string},
  alongside?: (transaction: Transaction) => Promise<unknown>,
): Promise<void> {
  const storedFiles = await deps.database.asUser(userId, async (transaction) => {
    const rows = await transaction
      .delete(taskArtifacts)
      .where(and(eq(taskArtifacts.taskId, id), eq(taskArtifacts.userId, userId)))
      .returning({fileId: taskArtifacts.fileId, previewFileId: taskArtifacts.previewFileId})
    const fileIds = rows
      .flatMap(({fileId, previewFileId}) => [fileId, previewFileId])
      .filter((fileId) => fileId !== null)
    const deletedRows =
      fileIds.length === 0
        ? []
        : await transaction
            .delete(files)
            .where(and(inArray(files.id, fileIds), eq(files.userId, userId)))
            .returning({storedAs: files.storedAs})
    await alongside?.(transaction)
    return deletedRows
  })
  await removeBytes(
    deps,
    storedFiles.map(({storedAs}) => storedAs),
  )
}
