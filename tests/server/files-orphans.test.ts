import {utimesSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {checkFiles, removeLostRows} from '#server/files/check-files.ts'
import {createFileService} from '#server/files/file-service.ts'
import {newFileId, type FileStore} from '#server/files/file-store.ts'
import {sweepOrphans} from '#server/files/sweep-files.ts'
import {StartFailure} from '#server/start-failure.ts'
import {manualTimers} from './providers.fixtures.ts'
import {createS3, type S3} from './s3.fixtures.ts'
import {eventually} from '../eventually.ts'
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
    const entry = await on.upload('foo')
    const [here, there] = [await write(on.local()), await write(on.remote())]
    const long = new Date(Date.now() - 30 * 86_400_000)
    expect(await sweepOrphans(on.deps, new Date(Date.now() - 60_000))).toEqual({
      number: 0,
      bytes: 0,
      unfinished: 0,
      untold: [expect.any(String)],
    })
    expect(await sweepOrphans(on.deps, soon())).toEqual({
      number: 2,
      bytes: 20,
      unfinished: 0,
      untold: [expect.any(String)],
    })
    expect([await on.local().sizeOf(here), await on.remote().sizeOf(there)]).toEqual([undefined, undefined])
    utimesSync(join(on.server.deps.config.dataDir, 'files', entry.id), long, long)
    expect(await sweepOrphans(on.deps, soon())).toEqual({
      number: 0,
      bytes: 0,
      unfinished: 0,
      untold: [expect.any(String)],
    })
    expect(await textOf(entry, on.server)).toBe('foo')
  })

  test('a copy that a move has left is swept where the row is not', async () => {
    const entry = await on.upload('foo')
    const store = on.local()
    const stubborn = {...store, remove: () => Promise.reject(new Error('killed'))}
    const all = on.deps.fileStores.all.map((each) => (each.name === store.name ? stubborn : each))
    await expect(on.move({...on.deps, fileStores: {...on.deps.fileStores, all}})).rejects.toThrow('killed')
    expect(await namesIn(store)).toEqual([entry.id])
    expect(await sweepOrphans(on.deps, soon())).toEqual({
      number: 1,
      bytes: 3,
      unfinished: 0,
      untold: [expect.any(String)],
    })
    expect(await namesIn(store)).toEqual([])
    expect(await namesIn(on.remote())).toEqual([entry.id])
  })

  test('a bucket of another installation is left alone', async () => {
    await on.remote().ownerOf('another')
    const name = await write(on.remote())
    expect(await sweepOrphans(on.deps, soon())).toEqual({
      number: 0,
      bytes: 0,
      unfinished: 0,
      untold: [expect.any(String)],
    })
    expect(await on.remote().sizeOf(name)).toBe(10)
    expect(on.server.logged.map(({message}) => message)).toContain(
      'a store of files belongs to another installation and is not swept',
    )
  })

  test('the server sweeps once a day, one process of all', async () => {
    const old = new Date(Date.now() - 8 * 86_400_000)
    const sweepers = [manualTimers(), manualTimers()].map(({timers, fire}) => {
      createFileService(on.server.deps, {timers}).start()
      return () => fire(3_600_000)
    })
    const orphan = async () => {
      const name = await write(on.local())
      utimesSync(join(on.server.deps.config.dataDir, 'files', name), old, old)
      return name
    }
    const first = await orphan()
    for (const sweep of sweepers) sweep()
    await eventually(async () => expect(await on.local().sizeOf(first)).toBeUndefined())
    const second = await orphan()
    for (const sweep of sweepers) sweep()
    const {rows} = await on.server.deps.database.pool.query(
      `select value from installation where name = 'files_swept_at'`,
    )
    expect(rows).toHaveLength(1)
    expect(await on.local().sizeOf(second)).toBe(10)
    on.server.advance(25 * 3_600_000)
    await eventually(async () => {
      // again and again: a sweep that still runs leaves its beat out
      for (const sweep of sweepers) sweep()
      expect(await on.local().sizeOf(second)).toBeUndefined()
    })
  })

  test('rows without bytes, and with too few, are named; taking them away leaves the others', async () => {
    const [entry, lost, short] = [await on.upload('foo'), await on.upload('bar'), await on.upload('baz')]
    await on.local().remove(lost.id)
    await on.local().remove(short.id)
    async function* bytes() {
      yield new Uint8Array(1)
    }
    await on.local().write(short.id, bytes(), {size: 1, type: 'text/plain'})
    const checked = await checkFiles(on.deps)
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
    expect(await removeLostRows(on.deps, checked)).toBe(1)
    expect([...(await on.storeNames()).keys()].sort()).toEqual(idsOf([entry, short]))
  })

  test('where nearly everything is missing it is the store that is wrong', async () => {
    const missing = Array.from({length: 11}, newFileId)
    const refused = removeLostRows(on.deps, {files: 20, missing})
    await expect(refused).rejects.toBeInstanceOf(StartFailure)
  })
})
