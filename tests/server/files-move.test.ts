import {setTimeout} from 'node:timers/promises'
import {eq} from 'drizzle-orm'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import type {FileStore} from '#server/files/file-store.ts'
import type {FileStores} from '#server/files/file-stores.ts'
import {files} from '#server/store/schema/files.ts'
import {createPlatform} from './platform.fixtures.ts'
import {createS3, type S3} from './s3.fixtures.ts'
import {long} from '../long.ts'
import {createFileMove, idsOf, namesIn, textOf, type FileMove} from './files-move.fixtures.ts'

let s3: S3
beforeAll(async () => {
  s3 = await createS3()
})
afterAll(() => s3.close())
afterEach(() => s3.setFault('none'))

let on: FileMove
beforeEach(async () => {
  on = await createFileMove(s3)
  return () => on.server.close()
})

const instead = (stores: FileStores, current: Partial<FileStore>): FileStores => {
  const changed = {...stores.current, ...current}
  return {...stores, current: changed, all: stores.all.map((store) => (store === stores.current ? changed : store))}
}

describe('moving', () => {
  test('all files go to the bucket under the same addresses, and back again', async () => {
    const entries = await Promise.all(['foo', 'bar', 'x'.repeat(300_000)].map((content) => on.upload(content)))
    const there = await createPlatform({sharing: on.server, config: {files: on.bucket}})
    const moved = await on.move()
    expect(moved).toEqual({files: 3, bytes: 300_006, missing: [], freed: 300_006})
    expect(await namesIn(on.local())).toEqual([])
    expect(await namesIn(on.remote())).toEqual(idsOf(entries))
    expect(await Promise.all(entries.map((entry) => textOf(entry, there)))).toEqual(['foo', 'bar', 'x'.repeat(300_000)])
    const back = await on.withFiles({...on.bucket, bucket: undefined, former: on.bucket.bucket})
    expect(await on.move(back)).toEqual({files: 3, freed: 300_006, bytes: 300006, missing: []})
    expect(await namesIn(on.remote())).toEqual([])
    expect(await Promise.all(entries.map((entry) => textOf(entry, on.server)))).toEqual([
      'foo',
      'bar',
      'x'.repeat(300_000),
    ])
    await there.deps.database.close()
  })

  test('more than one batch, while people upload, read and delete', {...long, timeout: 120_000}, async () => {
    const entries = await Promise.all(Array.from({length: 130}, (_, index) => on.upload(`file ${index}`)))
    const there = await createPlatform({sharing: on.server, config: {files: on.bucket}})
    let isMoving = true
    const seen: (string | number)[] = []
    const working = (async () => {
      for (let index = 0; isMoving || index < 10; index += 1) {
        seen.push(await textOf(entries[index % 100]!, there)) // there are 130
        if (index < 20) expect((await on.remove(entries[100 + index]!, there)).status).toBe(204)
        if (index < 5) entries.push(await on.upload('late'))
      }
    })()
    // with its pause for those who have read a row and not yet its bytes
    await on.move(on.deps, setTimeout)
    isMoving = false
    await working
    await on.move()
    expect(seen.every((text) => typeof text === 'string' && text.startsWith('file '))).toBe(true)
    const left = await on.storeNames()
    expect([...new Set(left.values())]).toEqual([on.remote().name])
    expect(await namesIn(on.remote())).toEqual([...left.keys()].sort())
    expect(await namesIn(on.local())).toEqual([])
    await there.deps.database.close()
  })

  test.each([
    ['before the copy is whole', 'write'],
    ['after the copy and before it is entered', 'open'],
  ] as const)('ended %s, it goes on with the rest', async (_, step) => {
    const entries = await Promise.all(['foo', 'bar', 'baz'].map((content) => on.upload(content)))
    let calls = 0
    const failing = async () => {
      throw new Error('killed')
    }
    const store = on.remote()
    const stores = instead(on.deps.fileStores, {
      [step]: (...rest: Parameters<FileStore[typeof step]>) => {
        calls += 1
        // the types of the two steps are not the same to the compiler
        return calls === 2 ? failing() : (store[step] as (...given: unknown[]) => Promise<unknown>)(...rest)
      },
    })
    await expect(on.move({...on.deps, fileStores: stores})).rejects.toThrow('killed')
    const half = [...(await on.storeNames()).values()].filter((name) => name === store.name).length
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(3)
    expect(await on.move()).toEqual({files: 3 - half, missing: [], bytes: 3, freed: 9})
    expect(await namesIn(on.local())).toEqual([])
    expect(await namesIn(store)).toEqual(idsOf(entries))
  })

  test('a store that is full and then has room: it waits, and nothing is lost', async () => {
    const entries = await Promise.all(['foo', 'bar'].map((content) => on.upload(content)))
    s3.setFault('full')
    let waits = 0
    const moved = await on.move(on.deps, async () => {
      waits += 1
      if (waits > 2) s3.setFault('none')
    })
    expect(moved).toEqual({files: 2, missing: [], bytes: 6, freed: 6})
    expect(waits).toBeGreaterThan(2)
    expect(await namesIn(on.remote())).toEqual(idsOf(entries))
  })

  test('a store that stays away: what was moved stays so, what was not is where it was', async () => {
    const entry = await on.upload('foo')
    s3.setFault('gone')
    await expect(on.move()).rejects.toHaveProperty('status', 503)
    expect((await on.storeNames()).get(entry.id)).toBe('local')
    expect(await textOf(entry, on.server)).toBe('foo')
  })

  test('a copy that differs is not entered', async () => {
    const entry = await on.upload('foo')
    const store = on.remote()
    async function* changed() {
      yield new TextEncoder().encode('fox')
    }
    const write: FileStore['write'] = (name, _, facts) => store.write(name, changed(), facts)
    await expect(on.move({...on.deps, fileStores: instead(on.deps.fileStores, {write})})).rejects.toThrow(/differs/)
    expect((await on.storeNames()).get(entry.id)).toBe('local')
    expect(await textOf(entry, on.server)).toBe('foo')
    expect(await namesIn(store)).toEqual([])
  })

  test.each(['before its copy is read back', 'before it is entered'])(
    'a file that is deleted %s is deleted in both',
    async (moment) => {
      const [entry, other] = [await on.upload('foo'), await on.upload('bar')]
      const store = on.remote()
      const deleting = async (name: string) => {
        if (name === entry.id) expect((await on.remove(entry)).status).toBe(204)
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
      expect(await on.move({...on.deps, fileStores: instead(on.deps.fileStores, steps)})).toEqual({
        files: 1,
        missing: [],
        bytes: 3,
        freed: 3,
      })
      expect(await namesIn(on.local())).toEqual([])
      expect(await namesIn(store)).toEqual([other.id])
    },
  )

  test('a row without bytes is named and stays', async () => {
    const [entry, lost] = [await on.upload('foo'), await on.upload('bar')]
    await on.local().remove(lost.id)
    expect(await on.move()).toEqual({files: 1, missing: [lost.id], bytes: 3, freed: 3})
    expect(await on.storeNames()).toEqual(
      new Map([
        [entry.id, on.remote().name],
        [lost.id, 'local'],
      ]),
    )
  })

  test('a reader that read the row before a file was moved still gets its bytes', async () => {
    const entry = await on.upload('foo')
    const there = await createPlatform({sharing: on.server, config: {files: on.bucket}})
    await on.move()
    // what a request that began before the move has read
    const [row] = await on.server.deps.database.asSystem((transaction) =>
      transaction.update(files).set({storedIn: 'local'}).where(eq(files.id, entry.id)).returning(),
    )
    expect(row?.storedIn).toBe('local')
    expect(await textOf(entry, there)).toBe('foo')
    await there.deps.database.close()
  })
})
