import {createReadStream} from 'node:fs'
import {Readable} from 'node:stream'
import {setTimeout as delay} from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import {Upload} from '@aws-sdk/lib-storage'
import {getSignedUrl} from '@aws-sdk/s3-request-presigner'
import type {BucketAddress, FilesConfig} from '../config-files.ts'
import {isCode} from '../error-code.ts'
import {FileGone, isStoredName, streamOf, type FileStore, type ListedFile, type Span} from './file-store.ts'
import {s3Failure} from './s3-failure.ts'
import {unfinishedUploads} from './s3-uploads.ts'

/** Parts of an upload; as many at once are in memory, whatever the file's size. */
const partBytes = 8 * 1_048_576
const partsAtOnce = 2
/** A reader of a video that waits holds a connection. */
const mostConnections = 500
/** A read that breaks goes on where it was. */
const mostBreaks = 4
const marker = 'atrium-installation'

export type S3Patience = {connectMilliseconds: number; idleMilliseconds: number; attempts: number}
const usualPatience: S3Patience = {connectMilliseconds: 3_000, idleMilliseconds: 15_000, attempts: 3}

/** A bucket behind the S3 protocol. Loaded only where one is configured. */
export function createS3Store(
  {bucket, prefix, name: storeName, isPathStyle}: BucketAddress,
  {region, endpoint, credentials}: Pick<FilesConfig, 'region' | 'endpoint' | 'credentials'>,
  {connectMilliseconds, idleMilliseconds, attempts}: S3Patience = usualPatience,
): FileStore {
  const client = new S3Client({
    region,
    forcePathStyle: isPathStyle,
    maxAttempts: attempts,
    // many stores do not know the newer checksums, which are sent where the protocol does not ask for them
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMilliseconds,
      socketTimeout: idleMilliseconds,
      httpAgent: {maxSockets: mostConnections, keepAlive: true},
      httpsAgent: {maxSockets: mostConnections, keepAlive: true},
    },
    ...(endpoint === undefined ? {} : {endpoint}),
    ...(credentials === undefined ? {} : {credentials}),
  })
  const place = (name: string) => ({Bucket: bucket, Key: prefix + name})

  /** A store that is away keeps the parts; they are swept. */
  const giveUp = async (name: string, uploadId: string | undefined) => {
    if (uploadId === undefined) return
    await client.send(new AbortMultipartUploadCommand({...place(name), UploadId: uploadId})).catch(() => undefined)
  }

  const upload = async (name: string, body: Readable, type: string, signal?: AbortSignal) => {
    const sending = new Upload({
      client,
      params: {...place(name), Body: body, ContentType: type},
      partSize: partBytes,
      queueSize: partsAtOnce,
      // done below: where it fails as well, the library forgets why it was done
      leavePartsOnError: true,
    })
    // of a body that is left because of a refusal it says only that
    let broken: Error | undefined
    body.once('error', (error) => {
      if (!isCode(error, 'ABORT_ERR')) broken = error
    })
    const stop = () => void sending.abort()
    signal?.addEventListener('abort', stop, {once: true})
    try {
      signal?.throwIfAborted()
      await sending.done()
    } catch (error) {
      await giveUp(name, sending.uploadId)
      signal?.throwIfAborted()
      throw broken ?? s3Failure(name, error)
    } finally {
      signal?.removeEventListener('abort', stop)
      body.destroy()
    }
  }

  const get = async (name: string, {start, end}: Span, signal: AbortSignal): Promise<Readable> => {
    const command = new GetObjectCommand({...place(name), Range: `bytes=${start}-${end}`})
    const {Body, ContentRange} = await client.send(command, {abortSignal: signal})
    if (start > 0 && ContentRange?.startsWith(`bytes ${start}-`) !== true)
      throw new Error('The store sent another range than it was asked for')
    if (!(Body instanceof Readable)) throw new Error('The store answered without a body')
    // a connection that ends while nobody reads is found by the next read
    Body.on('error', () => undefined)
    return Body
  }

  return {
    name: storeName,
    keep: (name, path, {type}, signal) => upload(name, createReadStream(path), type, signal),
    write: (name, bytes, {type}, signal) => upload(name, Readable.from(bytes, {objectMode: false}), type, signal),
    open: async (name, span) => {
      const stop = new AbortController()
      const first = await get(name, span, stop.signal).catch((error: unknown) => {
        throw s3Failure(name, error)
      })
      const pieces = readOn(first, span, (rest) => get(name, rest, stop.signal), stop.signal)
      return streamOf(pieces, () => {
        stop.abort()
        first.destroy()
      })
    },
    sizeOf: async (name) => {
      try {
        return (await client.send(new HeadObjectCommand(place(name)))).ContentLength
      } catch (error) {
        const failure = s3Failure(name, error)
        if (failure instanceof FileGone) return undefined
        throw failure
      }
    },
    remove: async (name) => {
      try {
        await client.send(new DeleteObjectCommand(place(name)))
      } catch (error) {
        const failure = s3Failure(name, error)
        if (!(failure instanceof FileGone)) throw failure
      }
    },
    list: () => listed(client, bucket, prefix),
    unfinished: (before, then) => unfinishedUploads(client, {bucket, prefix, before, then}),
    ownerOf: async (installation) => {
      try {
        const {Body} = await client.send(new GetObjectCommand(place(marker)))
        return ((await Body?.transformToString()) ?? '').trim()
      } catch (error) {
        const failure = s3Failure(marker, error)
        if (!(failure instanceof FileGone)) throw failure
      }
      try {
        await client.send(new PutObjectCommand({...place(marker), Body: installation, ContentType: 'text/plain'}))
      } catch (error) {
        throw s3Failure(marker, error)
      }
      return installation
    },
    sign: (name, {type, disposition, cacheControl}, {from, seconds}) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...place(name),
          ResponseContentType: type,
          ResponseContentDisposition: disposition,
          ResponseCacheControl: cacheControl,
        }),
        {expiresIn: seconds, signingDate: from},
      ),
  }
}

/** The bytes of a span, also where the connection breaks or ends because nobody took anything for a while. */
async function* readOn(
  first: Readable,
  {start, end}: Span,
  again: (rest: Span) => Promise<Readable>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  let position = start
  let body: Readable | undefined = first
  for (let breaks = 0; position <= end;) {
    try {
      body ??= await again({start: position, end})
      for await (const piece of body) {
        const bytes = (piece as Buffer).subarray(0, end - position + 1) // a stream without an encoding gives bytes
        position += bytes.byteLength
        breaks = 0
        yield bytes
        if (position > end) return
      }
      if (position <= end) throw new Error('The store sent less than it has')
    } catch (error) {
      breaks += 1
      if (signal.aborted || breaks > mostBreaks) throw error
      await delay(100 * 2 ** breaks)
    }
    body = undefined
  }
}

async function* listed(client: S3Client, bucket: string, prefix: string): AsyncGenerator<ListedFile> {
  try {
    for await (const page of paginateListObjectsV2({client}, {Bucket: bucket, Prefix: prefix})) {
      for (const {Key = '', Size = 0, LastModified = new Date()} of page.Contents ?? []) {
        const name = Key.slice(prefix.length)
        if (isStoredName(name)) yield {name, size: Size, writtenAt: LastModified}
      }
    }
  } catch (error) {
    throw s3Failure('', error)
  }
}
