import {createHash, randomBytes} from 'node:crypto'
import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {FileGone, isStoreTrouble, newFileId, type FileStore} from '#server/files/file-store.ts'
import {createLocalStore} from '#server/files/local-store.ts'
import {createS3Store} from '#server/files/s3-store.ts'
import {emptyGivenStores, givenStore, isStoreGiven} from './given-store.ts'
import {createS3, type S3} from './s3.fixtures.ts'
import {long} from '../long.ts'

/*
 * A store of files keeps its promises, as a folder and as a bucket, and as the store of TEST_FILES_URL where there is
 * one.
 */

const megabyte = 1_048_576
let s3: S3
let folder: string
beforeAll(async () => {
  s3 = await createS3()
  folder = mkdtempSync(join(tmpdir(), 'atrium-store-'))
})
afterAll(async () => {
  await emptyGivenStores()
  await s3.close()
  rmSync(folder, {recursive: true, force: true})
})
beforeEach(() => s3.setFault('none'))

const impatient = {connectMilliseconds: 2_000, idleMilliseconds: 2_000, attempts: 1}
const bucketStore = (prefix: string, patience?: typeof impatient) => {
  const config = s3.config(prefix)
  if (config.bucket === undefined) throw new Error('There is no bucket')
  return createS3Store(config.bucket, config, patience)
}
const kinds = [
  {kind: 'a folder', create: (): FileStore => createLocalStore({dataDir: mkdtempSync(join(folder, 'data-'))})},
  {kind: 'a bucket', create: (): FileStore => bucketStore(newFileId())},
  ...(isStoreGiven ? [{kind: 'the given store', create: (): FileStore => givenStore()}] : []),
]

const facts = (bytes: Uint8Array) => ({size: bytes.length, type: 'image/png'})
async function* inPieces(bytes: Uint8Array, length = 65_536) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}
const whole = (bytes: Uint8Array) => ({start: 0, end: bytes.length - 1})
const readAll = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer())
const namesIn = async (store: FileStore) => {
  const names: string[] = []
  for await (const {name} of store.list()) names.push(name)
  return names.sort()
}

describe.each(kinds)('$kind', ({kind, create}) => {
  let store: FileStore
  beforeEach(() => {
    store = create()
  })

  test.each([1, 100_000, 17 * megabyte])('keeps a file of %i bytes, byte for byte', async (length) => {
    const bytes = randomBytes(length)
    const path = join(folder, newFileId())
    writeFileSync(path, bytes)
    const [kept, written] = [newFileId(), newFileId()]
    await store.keep(kept, path, facts(bytes))
    await store.write(written, inPieces(bytes), facts(bytes))
    for (const name of [kept, written]) {
      expect(await store.sizeOf(name)).toBe(length)
      expect((await readAll(await store.open(name, whole(bytes)))).equals(bytes)).toBe(true)
    }
    expect(await namesIn(store)).toEqual([kept, written].sort())
  })

  test.each([
    [0, 0],
    [99_999, 99_999],
    [10, 70_000],
    [65_536, 99_999],
  ])('reads from %i to %i', async (start, end) => {
    const bytes = randomBytes(100_000)
    const name = newFileId()
    await store.write(name, inPieces(bytes), facts(bytes))
    expect((await readAll(await store.open(name, {start, end}))).equals(bytes.subarray(start, end + 1))).toBe(true)
  })

  test('what breaks off on its way in is not there at all', async () => {
    const name = newFileId()
    async function* broken() {
      yield* inPieces(randomBytes(12 * megabyte))
      throw new FileGone('the other end')
    }
    await expect(store.write(name, broken(), {size: 20 * megabyte, type: 'video/mp4'})).rejects.toThrow('the other end')
    expect(await store.sizeOf(name)).toBeUndefined()
    expect(await namesIn(store)).toEqual([])
  })

  test('a file that is removed is gone, and may be removed again', async () => {
    const name = newFileId()
    await store.write(name, inPieces(randomBytes(10)), {size: 10, type: 'image/png'})
    await store.remove(name)
    await store.remove(name)
    expect(await store.sizeOf(name)).toBeUndefined()
    await expect(store.open(name, {start: 0, end: 9})).rejects.toBeInstanceOf(FileGone)
  })

  test('a reader that leaves early lets go', async () => {
    const bytes = randomBytes(3 * megabyte)
    const name = newFileId()
    await store.write(name, inPieces(bytes), facts(bytes))
    const reader = (await store.open(name, whole(bytes))).getReader()
    expect((await reader.read()).value?.length).toBeGreaterThan(0)
    await reader.cancel()
    expect((await reader.read()).done).toBe(true)
  })

  test('belongs to who asked first, and lists no other names', async () => {
    expect(await store.ownerOf('first')).toBe('first')
    expect(await store.ownerOf('second')).toBe('first')
    const before = Date.now()
    const name = newFileId()
    await store.write(name, inPieces(randomBytes(10)), {size: 10, type: 'image/png'})
    for await (const file of store.list()) {
      expect(file).toEqual({name, size: 10, writtenAt: expect.any(Date)})
      expect(Math.abs(file.writtenAt.getTime() - before)).toBeLessThan(60_000)
    }
    expect(await namesIn(store)).toEqual([name])
  })

  test('lists more than a page of names, each once', long, async () => {
    const names = Array.from({length: 1_050}, newFileId)
    const rest = names.values()
    const writing = async () => {
      for (const name of rest) await store.write(name, inPieces(new Uint8Array(1)), {size: 1, type: 'text/plain'})
    }
    await Promise.all(Array.from({length: 16}, writing))
    expect(await namesIn(store)).toEqual(names.sort())
  })

  const onlyLong = kind === 'a bucket' ? long : {}
  test('a file of 160 MB goes in and out in a bounded share of memory', onlyLong, async () => {
    const piece = randomBytes(megabyte)
    const [sent, come] = [createHash('sha256'), createHash('sha256')]
    const start = process.memoryUsage.rss()
    let most = 0
    const look = () => (most = Math.max(most, process.memoryUsage.rss() - start))
    async function* content() {
      for (let index = 0; index < 160; index += 1) {
        sent.update(piece)
        look()
        yield piece
      }
    }
    const name = newFileId()
    await store.write(name, content(), {size: 160 * megabyte, type: 'video/mp4'})
    for await (const bytes of await store.open(name, {start: 0, end: 160 * megabyte - 1})) {
      come.update(bytes)
      look()
    }
    expect(come.digest('hex')).toBe(sent.digest('hex'))
    expect(most).toBeLessThan(120 * megabyte)
  })
})

test('a bucket that lists three names a page lists all, each once', async () => {
  const store = bucketStore(newFileId())
  const names = Array.from({length: 8}, newFileId)
  for (const name of names) await store.write(name, inPieces(new Uint8Array(1)), {size: 1, type: 'text/plain'})
  s3.setFault('short pages')
  s3.requests.length = 0
  expect(await namesIn(store)).toEqual(names.sort())
  expect(s3.requests).toEqual(['GET', 'GET', 'GET'])
})

describe('a bucket that is not well', () => {
  const bytes = randomBytes(megabyte)
  const trouble = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    return isStoreTrouble(error) ? [error.status, error.words] : error
  }

  const faults = [
    ['silent', [503, 'storeAway'], [503, 'storeAway']],
    ['gone', [503, 'storeAway'], [503, 'storeAway']],
    ['slow down', [503, 'storeAway'], [503, 'storeAway']],
    ['full', [507, 'storeFull'], undefined],
    ['quota', [507, 'storeFull'], undefined],
  ] as const
  // each request to a silent one takes its whole time
  for (const [fault, written, read] of faults)
    test(`${fault}: says so, and keeps what it has`, fault === 'silent' ? long : {}, async () => {
      const store = bucketStore(newFileId(), impatient)
      const [kept, refused] = [newFileId(), newFileId()]
      await store.write(kept, inPieces(bytes), facts(bytes))
      s3.setFault(fault)
      expect(await trouble(store.write(refused, inPieces(bytes), facts(bytes)))).toEqual(written)
      expect(await trouble(store.open(kept, whole(bytes)).then(readAll))).toEqual(read)
      s3.setFault('none')
      expect((await readAll(await store.open(kept, whole(bytes)))).equals(bytes)).toBe(true)
      expect(await namesIn(store)).toEqual([kept])
    })

  test.each([
    ['full', 507],
    ['gone', 503],
  ] as const)(
    '%s in the middle of an upload in parts: refused, and given up where it can be',
    async (fault, status) => {
      const store = bucketStore(newFileId(), impatient)
      const name = newFileId()
      async function* filling() {
        yield* inPieces(randomBytes(9 * megabyte))
        // the first part is there
        await expect.poll(() => s3.requests).toContain('PUT')
        s3.setFault(fault)
        yield* inPieces(randomBytes(9 * megabyte))
      }
      s3.requests.length = 0
      const written = await trouble(store.write(name, filling(), {size: 18 * megabyte, type: 'video/mp4'}))
      expect(written).toEqual([status, status === 507 ? 'storeFull' : 'storeAway'])
      expect(s3.requests).toContain('DELETE')
      s3.setFault('none')
      expect(await store.sizeOf(name)).toBeUndefined()
      expect(await namesIn(store)).toEqual([])
    },
  )

  test('a download whose connection breaks again and again goes on where it was', async () => {
    const store = bucketStore(newFileId(), impatient)
    const name = newFileId()
    await store.write(name, inPieces(bytes), facts(bytes))
    s3.setFault('breaking')
    s3.requests.length = 0
    expect((await readAll(await store.open(name, whole(bytes)))).equals(bytes)).toBe(true)
    expect(s3.requests.length).toBeGreaterThan(3)
  })

  test('a reader that pauses longer than a connection may idle reads on', async () => {
    const store = bucketStore(newFileId())
    const big = randomBytes(8 * megabyte)
    const name = newFileId()
    await store.write(name, inPieces(big), facts(big))
    s3.requests.length = 0
    const reader = (await store.open(name, whole(big))).getReader()
    const pieces = [(await reader.read()).value ?? new Uint8Array()]
    // what the store would do after its own time
    s3.setFault('gone')
    s3.setFault('none')
    for (let next = await reader.read(); next.value !== undefined; next = await reader.read()) pieces.push(next.value)
    expect(Buffer.concat(pieces).equals(big)).toBe(true)
    expect(s3.requests.length).toBeGreaterThan(1)
  })

  test('killed and started again, it has what was kept', async () => {
    const store = bucketStore(newFileId(), impatient)
    const name = newFileId()
    await store.write(name, inPieces(bytes), facts(bytes))
    await s3.kill()
    expect(await trouble(store.open(name, whole(bytes)))).toEqual([503, 'storeAway'])
    expect(await trouble(store.remove(name))).toEqual([503, 'storeAway'])
    await s3.start()
    expect((await readAll(await store.open(name, whole(bytes)))).equals(bytes)).toBe(true)
  })
})

test('a folder has no room for what is not its own', async () => {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  const store = createLocalStore({dataDir})
  await store.ownerOf('foo')
  writeFileSync(join(dataDir, 'files', 'notes.txt'), 'bar')
  expect(await namesIn(store)).toEqual([])
  expect(readdirSync(join(dataDir, 'files')).sort()).toEqual(['.installation', 'notes.txt'])
})

test('a file of a folder that goes before its first byte was read is gone', async () => {
  const store = createLocalStore({dataDir: mkdtempSync(join(folder, 'data-'))})
  const bytes = randomBytes(10)
  const name = newFileId()
  await store.write(name, inPieces(bytes), facts(bytes))
  const stream = await store.open(name, whole(bytes))
  await store.remove(name)
  await expect(stream.getReader().read()).rejects.toBeInstanceOf(FileGone)
})
