import {createReadStream} from 'node:fs'
import {Readable} from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import {getSignedUrl} from '@aws-sdk/s3-request-presigner'
import type {BucketAddress, FilesConfig} from '../config-files.ts'
import {FileGone, isStoredName, type FileStore, type ListedFile} from './file-store.ts'
import {s3Failure} from './s3-failure.ts'
import {openObject} from './s3-read.ts'
import {unfinishedUploads} from './s3-uploads.ts'
import {uploadObject} from './s3-write.ts'

/** A reader of a video that waits holds a connection. */
const mostConnections = 500
const marker = 'atrium-installation'

type Access = Pick<FilesConfig, 'region' | 'endpoint' | 'credentials'>
export type S3Patience = {connectMilliseconds: number; idleMilliseconds: number; attempts: number}
const usualPatience: S3Patience = {connectMilliseconds: 3_000, idleMilliseconds: 15_000, attempts: 3}

/** A bucket behind the S3 protocol. Loaded only where one is configured. */
export function createS3Store(
  {bucket, prefix, name: storeName, isPathStyle}: BucketAddress,
  access: Access,
  patience: S3Patience = usualPatience,
): FileStore {
  const client = createClient(access, isPathStyle, patience)
  const objectOf = (name: string) => ({Bucket: bucket, Key: prefix + name})

  return {
    name: storeName,
    keep: (name, path, {type}, signal) =>
      uploadObject(client, {object: objectOf(name), name, body: createReadStream(path), type}, signal),
    write: (name, bytes, {type}, signal) => {
      const body = Readable.from(bytes, {objectMode: false})
      return uploadObject(client, {object: objectOf(name), name, body, type}, signal)
    },
    open: (name, span) => openObject(client, objectOf(name), name, span),
    sizeOf: (name) =>
      unlessGone(name, async () => (await client.send(new HeadObjectCommand(objectOf(name)))).ContentLength),
    remove: (name) =>
      unlessGone(name, async () => {
        await client.send(new DeleteObjectCommand(objectOf(name)))
      }),
    list: () => listed(client, bucket, prefix),
    unfinished: (before, then) => unfinishedUploads(client, {bucket, prefix, before, then}),
    ownerOf: async (installation) => {
      const owner = await unlessGone(marker, async () => {
        const {Body} = await client.send(new GetObjectCommand(objectOf(marker)))
        return ((await Body?.transformToString()) ?? '').trim()
      })
      if (owner !== undefined) return owner
      try {
        await client.send(new PutObjectCommand({...objectOf(marker), Body: installation, ContentType: 'text/plain'}))
      } catch (error) {
        throw s3Failure(marker, error)
      }
      return installation
    },
    sign: (name, {type, disposition, cacheControl}, {from, seconds}) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...objectOf(name),
          ResponseContentType: type,
          ResponseContentDisposition: disposition,
          ResponseCacheControl: cacheControl,
        }),
        {expiresIn: seconds, signingDate: from},
      ),
  }
}

const createClient = (
  {region, endpoint, credentials}: Access,
  isPathStyle: boolean,
  {connectMilliseconds, idleMilliseconds, attempts}: S3Patience,
) =>
  new S3Client({
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

/** `undefined` if the store has no such object; any other failure is thrown. */
async function unlessGone<T>(name: string, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    const failure = s3Failure(name, error)
    if (failure instanceof FileGone) return undefined
    throw failure
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
