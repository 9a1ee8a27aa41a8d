import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {CreateMultipartUploadCommand, S3Client, UploadPartCommand} from '@aws-sdk/client-s3'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {newFileId, type FileStore} from '#server/files/file-store.ts'
import {createS3Store} from '#server/files/s3-store.ts'
import {readConfig} from '#server/read-config.ts'
import {endAll} from '../cluster/own-process.ts'
import {swiftStore} from '../cluster/store.ts'
import {givenFiles, isStoreGiven} from './given-store.ts'

/*
 * Uploads in parts that never ended, in a store that lists them: Debian's Swift with its S3 interface, or that of
 * TEST_FILES_URL.
 */

const megabyte = 1_048_576
let folder: string
let store: FileStore
let client: S3Client
let location: {Bucket: string; prefix: string}
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-swift-'))
  const files = isStoreGiven ? givenFiles() : await startSwift()
  store = createS3Store(files.bucket, files)
  location = {Bucket: files.bucket.bucket, prefix: files.bucket.prefix}
  client = new S3Client({
    region: files.region,
    forcePathStyle: true,
    ...(files.endpoint === undefined ? {} : {endpoint: files.endpoint}),
    ...(files.credentials === undefined ? {} : {credentials: files.credentials}),
  })
}, 120_000)
afterAll(async () => {
  client.destroy()
  await endAll()
  rmSync(folder, {recursive: true, force: true})
})

async function startSwift() {
  const {settings, port} = await swiftStore(folder, folder)
  const {files} = readConfig(settings(port))
  if (files.bucket === undefined) throw new Error('There is no bucket')
  return {...files, bucket: files.bucket}
}

/** Leaves an unfinished file, as a process does that is killed in the middle. */
async function begin(name: string): Promise<void> {
  const key = {Bucket: location.Bucket, Key: location.prefix + name}
  const {UploadId} = await client.send(new CreateMultipartUploadCommand(key))
  await client.send(new UploadPartCommand({...key, UploadId, PartNumber: 1, Body: Buffer.alloc(5 * megabyte)}))
}
const [soon, longAgo] = [() => new Date(Date.now() + 60_000), () => new Date(Date.now() - 3_600_000)]

test('they are counted and taken away when they are old enough, and what is not ours stays', async () => {
  for (const name of [newFileId(), newFileId(), 'notes.txt']) await begin(name)
  expect(await store.unfinished(longAgo(), 'remove')).toBe(0)
  expect(await store.unfinished(soon(), 'count')).toBe(2)
  expect(await store.unfinished(soon(), 'remove')).toBe(2)
  expect(await store.unfinished(soon(), 'count')).toBe(0)
})

test('one that breaks off is given up at once', async () => {
  async function* broken() {
    yield Buffer.alloc(12 * megabyte)
    throw new Error('the other end')
  }
  const name = newFileId()
  await expect(store.write(name, broken(), {size: 20 * megabyte, type: 'video/mp4'})).rejects.toThrow('the other end')
  expect(await store.unfinished(soon(), 'count')).toBe(0)
  expect(await store.sizeOf(name)).toBeUndefined()
})

test('one that is stopped is given up, and one that ends is a file', async () => {
  async function* whole() {
    for (let index = 0; index < 3; index += 1) yield Buffer.alloc(6 * megabyte, index)
  }
  const stop = new AbortController()
  async function* stopped() {
    yield Buffer.alloc(9 * megabyte)
    stop.abort(new Error('enough'))
    yield Buffer.alloc(9 * megabyte)
  }
  const [kept, left] = [newFileId(), newFileId()]
  const facts = {size: 18 * megabyte, type: 'video/mp4'}
  await expect(store.write(left, stopped(), facts, stop.signal)).rejects.toThrow('enough')
  await store.write(kept, whole(), facts)
  await expect.poll(() => store.unfinished(soon(), 'count')).toBe(0)
  expect([await store.sizeOf(kept), await store.sizeOf(left)]).toEqual([18 * megabyte, undefined])
})
