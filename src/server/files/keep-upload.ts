import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {and, eq} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {notFound} from '../http/failure.ts'
import {claimKey, findKey, otherRequest} from '../runs/idempotency.ts'
import {files} from '../store/schema/files.ts'
import {extensionOf} from './file-name.ts'
import {newFileId} from './file-store.ts'
import {uploadTypeOf} from './file-types.ts'
import {namedByContent} from './image-name.ts'
import type {Incoming} from './incoming-file.ts'
import {inspectFile, notTaken} from './inspect-file.ts'
import {stripMetadata} from './metadata/strip-metadata.ts'
import {keepFile, type FileRow} from './stored-files.ts'

export type ReceivedUpload = {
  userId: string
  /** The header `Idempotency-Key`, checked. */
  key: string | undefined
  name: string
  received: Incoming
  signal: AbortSignal
}
export type KeptUpload = Pick<FileRow, 'id' | 'name' | 'type' | 'size'> & {isReplay: boolean}
type UploadClaim = {userId: string; key: string; requestHash: string}

/** A request with this key entered its file while this one was at work. */
class KeptBefore extends Error {}

/** @throws HttpFailure 415 for a kind of file that is not kept */
export function typeOfName(name: string) {
  const type = uploadTypeOf(name, extensionOf(name))
  if (type === undefined) throw notTaken()
  return type
}

/**
 * Keeps a received file. The same key with the same name and bytes again is the same upload and returns its file
 * (security R46, docs/decisions/0083). The bytes are compared, not only their number: another file under an old key
 * must not return the old file.
 *
 * @throws HttpFailure 404 if the file of this key was deleted, 422 if the key belongs to another file
 */
export async function keepUpload(deps: ServerDeps, upload: ReceivedUpload): Promise<KeptUpload> {
  const {userId, key, name, received} = upload
  if (key === undefined) return keepNew(deps, upload, undefined)
  const claim = {userId, key, requestHash: await hashOfUpload(name, received.path)}
  const earlier = await findEarlier(deps, claim)
  if (earlier !== undefined) return earlier
  try {
    return await keepNew(deps, upload, claim)
  } catch (error) {
    const other = error instanceof KeptBefore ? await findEarlier(deps, claim) : undefined
    if (other === undefined) throw error
    return other
  }
}

async function keepNew(
  deps: ServerDeps,
  {userId, name: givenName, received, signal}: ReceivedUpload,
  claim: UploadClaim | undefined,
): Promise<KeptUpload> {
  const {name, fileType} = await namedByContent(received.path, givenName, typeOfName(givenName))
  const {type} = fileType
  const {width = null, height = null} = (await inspectFile(received.path, fileType)) ?? {}
  const incoming = await stripMetadata(received, type)
  const {size} = incoming
  const id = newFileId()
  await keepFile(deps, {id, userId, name, type, size, width, height}, incoming, {
    signal,
    alongside: async (transaction) => {
      if (claim === undefined) return
      const earlierUpload = await claimKey(transaction, {...claim, subject: {fileStoredAs: id}})
      if (earlierUpload !== undefined) throw new KeptBefore()
    },
  })
  return {id, name, type, size, isReplay: false}
}

async function hashOfUpload(name: string, path: string): Promise<string> {
  const hash = createHash('sha256').update(`files/${name}\n`)
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer) // as: a stream without an encoding
  return hash.digest('base64url')
}

function findEarlier({database}: ServerDeps, {userId, key, requestHash}: UploadClaim): Promise<KeptUpload | undefined> {
  return database.asUser(userId, async (transaction) => {
    const earlierUpload = await findKey(transaction, {userId, key})
    if (earlierUpload === undefined) return undefined
    if (earlierUpload.requestHash !== requestHash || earlierUpload.fileStoredAs === null) throw otherRequest()
    const [file] = await transaction
      .select()
      .from(files)
      .where(and(eq(files.storedAs, earlierUpload.fileStoredAs), eq(files.userId, userId)))
    if (file === undefined) throw notFound()
    return {...file, isReplay: true}
  })
}
