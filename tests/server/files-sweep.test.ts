import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest'
import type {ServerDeps} from '#server/deps.ts'
import {createFileService} from '#server/files/file-service.ts'
import {newFileId, type FileStore} from '#server/files/file-store.ts'
import {openFileStores, type FileStores} from '#server/files/file-stores.ts'
import {moveFiles} from '#server/files/move-files.ts'
import {sweepOrphans} from '#server/files/sweep-files.ts'
import {files} from '#server/store/schema/files.ts'
import type {TestServer, TestUser} from './harness.ts'
import {base, createPlatform} from './platform.fixtures.ts'
import {manualTimers} from './providers.fixtures.ts'
import {createS3, type S3} from './s3.fixtures.ts'
import {eventually} from '../eventually.ts'
import {long} from '../long.ts'

/* A sweep of bytes that nobody names, beside a move that goes on where an earlier one was ended. */

let s3: S3
let server: TestServer
let user: TestUser
/** The same installation as `server`, where new files go to the bucket. */
let deps: ServerDeps
beforeAll(async () => {
  s3 = await createS3()
})
afterAll(() => s3.close())
afterEach(() => s3.setFault('none'))
beforeEach(async () => {
  server = await createPlatform()
  user = await server.createUser()
  deps = {
    ...server.deps,
    fileStores: await openFileStores({...server.deps.config, files: s3.config(newFileId())}),
  }
  return () => server.close()
})

/** Everything is old enough for a sweep. */
const later = () => new Date(Date.now() + 60_000)
const move = (on = deps) => moveFiles(on, {pause: () => Promise.resolve()})
async function upload(content: string): Promise<string> {
  const form = new FormData()
  form.set('file', new File([content], 'foo.txt'))
  const response = await server.call('POST', `${base}/files/`, {token: user.accessToken, body: form})
  const {id} = (await response.json()) as {id: string}
  return id
}
const storeNames = async () => {
  const rows = await server.deps.database.asSystem((transaction) => transaction.select().from(files))
  return new Map(rows.map(({storedAs, storedIn}) => [storedAs, storedIn]))
}
/** Leaves a copy that is not entered, as an ended move does. */
async function copyInBucket(name: string, content: string): Promise<void> {
  async function* bytes() {
    yield new TextEncoder().encode(content)
  }
  await deps.fileStores.current.write(name, bytes(), {size: content.length, type: 'text/plain'})
}
const textIn = async (store: FileStore, name: string) => {
  const size = await store.sizeOf(name)
  return size === undefined ? undefined : new Response(await store.open(name, {start: 0, end: size - 1})).text()
}
/** The bucket, where each step may be held up. */
function instead(changed: Partial<FileStore>): FileStores {
  const {current, all} = deps.fileStores
  const bucket = {...current, ...changed}
  return {...deps.fileStores, current: bucket, all: all.map((store) => (store === current ? bucket : store))}
}
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  let come = () => {}
  const reached = new Promise<void>((resolve) => (come = resolve))
  return {open, reached, pass: () => (come(), opened)}
}
/** Whether a statement of the database of this test waits for a row that another one holds. */
const isWaiting = async () => {
  const {rows} = await server.deps.database.pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length > 0
}

test('a copy that is being swept is not entered: the move makes another one', async () => {
  const id = await upload('foo')
  await copyInBucket(id, 'foo')
  const removing = gate()
  const bucket = deps.fileStores.current
  const remove = async (name: string) => {
    await removing.pass()
    await bucket.remove(name)
  }
  const sweeping = sweepOrphans({...deps, fileStores: instead({remove})}, later())
  await removing.reached
  let isMoved = false
  const moving = move().finally(() => (isMoved = true))
  await eventually(async () => expect(isMoved || (await isWaiting())).toBe(true))
  removing.open()
  // what stands in the folder is a copy by then, and may be swept too
  await sweeping
  expect(await moving).toEqual({files: 1, missing: [], bytes: 3, freed: 3})
  expect((await storeNames()).get(id)).toBe(bucket.name)
  expect(await textIn(bucket, id)).toBe('foo')
})

test('a copy that was entered since it was judged is the file, and stays', async () => {
  const ids = await Promise.all(['foo', 'bar', 'baz'].map(upload))
  for (const [index, content] of ['foo', 'bar', 'baz'].entries()) await copyInBucket(ids[index] ?? '', content)
  // the sweep has judged all three when it comes to the first
  const judged = gate()
  const bucket = deps.fileStores.current
  const sizeOf = async (name: string) => {
    await judged.pass()
    return bucket.sizeOf(name)
  }
  const local = server.deps.fileStores.current
  const slowLocal = {...local, sizeOf: async (name: string) => (await judged.pass(), local.sizeOf(name))}
  const stores = instead({sizeOf})
  const held = {...stores, all: stores.all.map((store) => (store.name === 'local' ? slowLocal : store))}
  const sweeping = sweepOrphans({...deps, fileStores: held}, later())
  await judged.reached
  const moving = move()
  await eventually(async () => {
    const entered = [...(await storeNames()).values()].filter((name) => name === bucket.name)
    expect(entered).toHaveLength(2)
  })
  judged.open()
  await Promise.all([sweeping, moving])
  expect([...(await storeNames()).values()]).toEqual([bucket.name, bucket.name, bucket.name])
  expect((await Promise.all(ids.map((id) => textIn(bucket, id)))).sort()).toEqual(['bar', 'baz', 'foo'])
})

test('sweeps and moves beside each other, again and again: every row has its bytes', long, async () => {
  const contents = Array.from({length: 12}, (_, index) => `file ${index}`)
  const ids = await Promise.all(contents.map(upload))
  for (let round = 0; round < 2; round += 1) {
    // a third has a copy of an ended move, a third is where it was, a third was moved
    for (const [index, id] of ids.entries()) if (index % 3 === round) await copyInBucket(id, contents[index] ?? '')
    const [moved] = await Promise.all([move(), sweepOrphans(deps, later()), sweepOrphans(deps, later())])
    expect(moved.missing).toEqual([])
    const names = await storeNames()
    const texts = ids.map(async (id) => {
      const store = deps.fileStores.all.find(({name}) => name === names.get(id))
      return store && textIn(store, id)
    })
    expect(await Promise.all(texts)).toEqual(contents)
    await server.deps.database.asSystem((transaction) => transaction.update(files).set({storedIn: 'local'}))
    for (const [index, id] of ids.entries()) await writeLocal(id, contents[index] ?? '')
    for (const id of ids) await deps.fileStores.current.remove(id)
  }
})
async function writeLocal(name: string, content: string): Promise<void> {
  async function* bytes() {
    yield new TextEncoder().encode(content)
  }
  await server.deps.fileStores.current.write(name, bytes(), {size: content.length, type: 'text/plain'})
}

test('the last whole copy stays, wherever it is', async () => {
  const id = await upload('foo')
  await copyInBucket(id, 'foo')
  await server.deps.fileStores.current.remove(id)
  expect(await sweepOrphans(deps, later())).toEqual({number: 0, bytes: 0, unfinished: 0, untold: [expect.any(String)]})
  expect(await textIn(deps.fileStores.current, id)).toBe('foo')
})

test('a store that does not list unfinished uploads is named once', async () => {
  const {timers, fire} = manualTimers()
  createFileService(deps, {timers}).start()
  const said = () => server.logged.filter(({message}) => message.startsWith('a store does not list uploads'))
  const sweptAt = async () => {
    const {rows} = await server.deps.database.pool.query<{value: string}>(
      `select value from installation where name = 'files_swept_at'`,
    )
    return rows[0]?.value
  }
  fire(3_600_000)
  await eventually(() => expect(said()).toHaveLength(1))
  expect(said()[0]).toEqual({
    fields: {store: deps.fileStores.current.name},
    level: 'warn',
    message: 'a store does not list uploads that never ended; give the bucket a rule that ends them',
  })
  const first = await sweptAt()
  server.advance(25 * 3_600_000)
  const listed = s3.requests.length
  fire(3_600_000)
  await eventually(async () => expect(await sweptAt()).not.toBe(first))
  await eventually(() => expect(s3.requests.length).toBeGreaterThan(listed + 2))
  expect(said()).toHaveLength(1)
})
