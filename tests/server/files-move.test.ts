import {setTimeout} from 'node:timers/promises'
import {utimesSync} from 'node:fs'
import {join} from 'node:path'
import {eq} from 'drizzle-orm'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import type {FilesConfig} from '#server/config-files.ts'
import type {ServerDeps} from '#server/deps.ts'
import {checkFiles, removeLostRows} from '#server/files/check-files.ts'
import {createFileService} from '#server/files/file-service.ts'
import {newFileId, type FileStore} from '#server/files/file-store.ts'
import {openFileStores, type FileStores} from '#server/files/file-stores.ts'
import {moveFiles} from '#server/files/move-files.ts'
import {sweepOrphans} from '#server/files/sweep-files.ts'
import {StartFailure} from '#server/start-failure.ts'
import {files} from '#server/store/schema/files.ts'
import type {TestServer, TestUser} from './harness.ts'
import {base, createPlatform} from './platform.fixtures.ts'
import {manualTimers} from './providers.fixtures.ts'
import {createS3, type S3} from './s3.fixtures.ts'
import {long} from '../long.ts'
import {eventually} from '../eventually.ts'

let s3: S3
beforeAll(async () => {
  s3 = await createS3()
})
afterAll(() => s3.close())
afterEach(() => s3.setFault('none'))

let server: TestServer
let user: TestUser
let bucket: FilesConfig
/** The same installation as `server`, where new files go to the bucket. */
let deps: ServerDeps
beforeEach(async () => {
  server = await createPlatform()
  await server.createUser()
  user = await server.createUser()
  bucket = s3.config(newFileId())
  deps = await withFiles(bucket)
  return () => server.close()
})

const withFiles = async (config: FilesConfig): Promise<ServerDeps> => ({
  ...server.deps,
  fileStores: await openFileStores({...server.deps.config, files: config}),
})
const pause = () => Promise.resolve()
const move = (parts = deps, onPause: (milliseconds: number) => Promise<unknown> = pause) =>
  moveFiles(parts, {pause: onPause})
const instead = (stores: FileStores, current: Partial<FileStore>): FileStores => {
  const changed = {...stores.current, ...current}
  return {...stores, current: changed, all: stores.all.map((store) => (store === stores.current ? changed : store))}
}
async function upload(content: string, name = 'foo.txt') {
  const form = new FormData()
  form.set('file', new File([content], name))
  const response = await server.call('POST', `${base}/files/`, {token: user.accessToken, body: form})
  expect(response.status).toBe(201)
  return (await response.json()) as {id: string; file_url: string}
}
const remove = ({id}: {id: string}, on = server) => on.call('DELETE', `${base}/files/${id}`, {token: user.accessToken})
const textOf = async ({file_url: address}: {file_url: string}, on: TestServer) => {
  const response = await on.call('GET', new URL(address).pathname, {origin: null})
  return response.status === 200 ? response.text() : response.status
}
const namesIn = async (store: FileStore) => {
  const names: string[] = []
  for await (const {name} of store.list()) names.push(name)
  return names.sort()
}
const storeNames = async () => {
  const rows = await server.deps.database.asSystem((transaction) => transaction.select().from(files))
  return new Map(rows.map(({storedAs, storedIn}) => [storedAs, storedIn]))
}
const [local, remote] = [() => server.deps.fileStores.current, () => deps.fileStores.current]
const idsOf = (entries: readonly {id: string}[]) => entries.map(({id}) => id).sort()

describe('moving', () => {
  test('all files go to the bucket under the same addresses, and back again', async () => {
    const entries = await Promise.all(['foo', 'bar', 'x'.repeat(300_000)].map((content) => upload(content)))
    const there = await createPlatform({sharing: server, config: {files: bucket}})
    const moved = await move()
    expect(moved).toEqual({files: 3, bytes: 300_006, missing: [], freed: 300_006})
    expect(await namesIn(local())).toEqual([])
    expect(await namesIn(remote())).toEqual(idsOf(entries))
    expect(await Promise.all(entries.map((entry) => textOf(entry, there)))).toEqual(['foo', 'bar', 'x'.repeat(300_000)])
    const back = await withFiles({...bucket, bucket: undefined, former: bucket.bucket})
    expect(await move(back)).toEqual({files: 3, freed: 300_006, bytes: 300006, missing: []})
    expect(await namesIn(remote())).toEqual([])
    expect(await Promise.all(entries.map((entry) => textOf(entry, server)))).toEqual([
      'foo',
      'bar',
      'x'.repeat(300_000),
    ])
    await there.deps.database.close()
  })

  test('more than one batch, while people upload, read and delete', {...long, timeout: 120_000}, async () => {
    const entries = await Promise.all(Array.from({length: 130}, (_, index) => upload(`file ${index}`)))
    const there = await createPlatform({sharing: server, config: {files: bucket}})
    let isMoving = true
    const seen: (string | number)[] = []
    const working = (async () => {
      for (let index = 0; isMoving || index < 10; index += 1) {
        seen.push(await textOf(entries[index % 100]!, there)) // there are 130
        if (index < 20) expect((await remove(entries[100 + index]!, there)).status).toBe(204)
        if (index < 5) entries.push(await upload('late'))
      }
    })()
    // with its pause for those who have read a row and not yet its bytes
    await move(deps, setTimeout)
    isMoving = false
    await working
    await move()
    expect(seen.every((text) => typeof text === 'string' && text.startsWith('file '))).toBe(true)
    const left = await storeNames()
    expect([...new Set(left.values())]).toEqual([remote().name])
    expect(await namesIn(remote())).toEqual([...left.keys()].sort())
    expect(await namesIn(local())).toEqual([])
    await there.deps.database.close()
  })

  test.each([
    ['before the copy is whole', 'write'],
    ['after the copy and before it is entered', 'open'],
  ] as const)('ended %s, it goes on with the rest', async (_, step) => {
    const entries = await Promise.all(['foo', 'bar', 'baz'].map((content) => upload(content)))
    let calls = 0
    const failing = async () => {
      throw new Error('killed')
    }
    const store = remote()
    const stores = instead(deps.fileStores, {
      [step]: (...rest: Parameters<FileStore[typeof step]>) => {
        calls += 1
        // the types of the two steps are not the same to the compiler
        return calls === 2 ? failing() : (store[step] as (...given: unknown[]) => Promise<unknown>)(...rest)
      },
    })
    await expect(move({...deps, fileStores: stores})).rejects.toThrow('killed')
    const half = [...(await storeNames()).values()].filter((name) => name === store.name).length
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(3)
    expect(await move()).toEqual({files: 3 - half, missing: [], bytes: 3, freed: 9})
    expect(await namesIn(local())).toEqual([])
    expect(await namesIn(store)).toEqual(idsOf(entries))
  })

  test('a store that is full and then has room: it waits, and nothing is lost', async () => {
    const entries = await Promise.all(['foo', 'bar'].map((content) => upload(content)))
    s3.setFault('full')
    let waits = 0
    const moved = await move(deps, async () => {
      waits += 1
      if (waits > 2) s3.setFault('none')
    })
    expect(moved).toEqual({files: 2, missing: [], bytes: 6, freed: 6})
    expect(waits).toBeGreaterThan(2)
    expect(await namesIn(remote())).toEqual(idsOf(entries))
  })

  test('a store that stays away: what was moved stays so, what was not is where it was', async () => {
    const entry = await upload('foo')
    s3.setFault('gone')
    await expect(move()).rejects.toMatchObject({status: 503})
    expect((await storeNames()).get(entry.id)).toBe('local')
    expect(await textOf(entry, server)).toBe('foo')
  })

  test('a copy that differs is not entered', async () => {
    const entry = await upload('foo')
    const store = remote()
    async function* changed() {
      yield new TextEncoder().encode('fox')
    }
    const write: FileStore['write'] = (name, _, facts) => store.write(name, changed(), facts)
    await expect(move({...deps, fileStores: instead(deps.fileStores, {write})})).rejects.toThrow(/differs/)
    expect((await storeNames()).get(entry.id)).toBe('local')
    expect(await textOf(entry, server)).toBe('foo')
    expect(await namesIn(store)).toEqual([])
  })

  test.each(['before its copy is read back', 'before it is entered'])(
    'a file that is deleted %s is deleted in both',
    async (moment) => {
      const [entry, other] = [await upload('foo'), await upload('bar')]
      const store = remote()
      const deleting = async (name: string) => {
        if (name === entry.id) expect((await remove(entry)).status).toBe(204)
      }
      const write: FileStore['write'] = async (name, ...rest) => {
        await store.write(name, ...rest)
        await deleting(name)
      }
      const open: FileStore['open'] = async (name, span) => {
        const stream = await store.open(name, span)
        await deleting(name)
        return stream
      }
      const steps = moment === 'before it is entered' ? {open} : {write}
      expect(await move({...deps, fileStores: instead(deps.fileStores, steps)})).toEqual({
        files: 1,
        missing: [],
        bytes: 3,
        freed: 3,
      })
      expect(await namesIn(local())).toEqual([])
      expect(await namesIn(store)).toEqual([other.id])
    },
  )

  test('a row without bytes is named and stays', async () => {
    const [entry, lost] = [await upload('foo'), await upload('bar')]
    await local().remove(lost.id)
    expect(await move()).toEqual({files: 1, missing: [lost.id], bytes: 3, freed: 3})
    expect(await storeNames()).toEqual(
      new Map([
        [entry.id, remote().name],
        [lost.id, 'local'],
      ]),
    )
  })

  test('a reader that read the row before a file was moved still gets its bytes', async () => {
    const entry = await upload('foo')
    const there = await createPlatform({sharing: server, config: {files: bucket}})
    await move()
    // what a request that began before the move has read
    const [row] = await server.deps.database.asSystem((transaction) =>
      transaction.update(files).set({storedIn: 'local'}).where(eq(files.id, entry.id)).returning(),
    )
    expect(row?.storedIn).toBe('local')
    expect(await textOf(entry, there)).toBe('foo')
    await there.deps.database.close()
  })
})

describe('what belongs to nothing', () => {
  const write = async (store: FileStore) => {
    const name = newFileId()
    async function* bytes() {
      yield new Uint8Array(10)
    }
    await store.write(name, bytes(), {size: 10, type: 'image/png'})
    return name
  }
  const soon = () => new Date(Date.now() + 60_000)

  test('bytes without a row are found on both sides and swept; young ones and those with a row stay', async () => {
    const entry = await upload('foo')
    const [here, there] = [await write(local()), await write(remote())]
    const long = new Date(Date.now() - 30 * 86_400_000)
    expect(await sweepOrphans(deps, new Date(Date.now() - 60_000))).toEqual({
      number: 0,
      bytes: 0,
      unfinished: 0,
      untold: [expect.any(String)],
    })
    expect(await sweepOrphans(deps, soon())).toEqual({
      number: 2,
      bytes: 20,
      unfinished: 0,
      untold: [expect.any(String)],
    })
    expect([await local().sizeOf(here), await remote().sizeOf(there)]).toEqual([undefined, undefined])
    utimesSync(join(server.deps.config.dataDir, 'files', entry.id), long, long)
    expect(await sweepOrphans(deps, soon())).toEqual({number: 0, bytes: 0, unfinished: 0, untold: [expect.any(String)]})
    expect(await textOf(entry, server)).toBe('foo')
  })

  test('a copy that a move has left is swept where the row is not', async () => {
    const entry = await upload('foo')
    const store = local()
    const stubborn = {...store, remove: () => Promise.reject(new Error('killed'))}
    const all = deps.fileStores.all.map((each) => (each.name === store.name ? stubborn : each))
    await expect(move({...deps, fileStores: {...deps.fileStores, all}})).rejects.toThrow('killed')
    expect(await namesIn(store)).toEqual([entry.id])
    expect(await sweepOrphans(deps, soon())).toEqual({number: 1, bytes: 3, unfinished: 0, untold: [expect.any(String)]})
    expect(await namesIn(store)).toEqual([])
    expect(await namesIn(remote())).toEqual([entry.id])
  })

  test('a bucket of another installation is left alone', async () => {
    await remote().ownerOf('another')
    const name = await write(remote())
    expect(await sweepOrphans(deps, soon())).toEqual({number: 0, bytes: 0, unfinished: 0, untold: [expect.any(String)]})
    expect(await remote().sizeOf(name)).toBe(10)
    expect(server.logged.map(({message}) => message)).toContain(
      'a store of files belongs to another installation and is not swept',
    )
  })

  test('the server sweeps once a day, one process of all', async () => {
    const old = new Date(Date.now() - 8 * 86_400_000)
    const sweepers = [manualTimers(), manualTimers()].map(({timers, fire}) => {
      createFileService(server.deps, {timers}).start()
      return () => fire(3_600_000)
    })
    const orphan = async () => {
      const name = await write(local())
      utimesSync(join(server.deps.config.dataDir, 'files', name), old, old)
      return name
    }
    const first = await orphan()
    for (const sweep of sweepers) sweep()
    await eventually(async () => expect(await local().sizeOf(first)).toBeUndefined())
    const second = await orphan()
    for (const sweep of sweepers) sweep()
    const {rows} = await server.deps.database.pool.query(`select value from installation where name = 'files_swept_at'`)
    expect(rows).toHaveLength(1)
    expect(await local().sizeOf(second)).toBe(10)
    server.advance(25 * 3_600_000)
    await eventually(async () => {
      // again and again: a sweep that still runs leaves its beat out
      for (const sweep of sweepers) sweep()
      expect(await local().sizeOf(second)).toBeUndefined()
    })
  })

  test('rows without bytes, and with too few, are named; taking them away leaves the others', async () => {
    const [entry, lost, short] = [await upload('foo'), await upload('bar'), await upload('baz')]
    await local().remove(lost.id)
    await local().remove(short.id)
    async function* bytes() {
      yield new Uint8Array(1)
    }
    await local().write(short.id, bytes(), {size: 1, type: 'text/plain'})
    const checked = await checkFiles(deps)
    expect(checked).toEqual({
      files: 3,
      bytes: 9,
      missing: [lost.id, short.id].sort(),
      orphans: {number: 0, bytes: 0},
      youngOrphans: {number: 0, bytes: 0},
      // the small store does not list them
      unfinished: undefined,
    })
    // what is cut off may be looked at by the operator
    expect(await removeLostRows(deps, checked)).toBe(1)
    expect([...(await storeNames()).keys()].sort()).toEqual(idsOf([entry, short]))
  })

  test('where nearly everything is missing it is the store that is wrong', async () => {
    const missing = Array.from({length: 11}, newFileId)
    const refused = removeLostRows(deps, {files: 20, missing})
    await expect(refused).rejects.toBeInstanceOf(StartFailure)
  })
})
