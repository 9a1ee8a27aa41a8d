import {afterAll, afterEach, beforeAll, expect, test, vi} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {HttpFailure} from '#server/http/failure.ts'
import {createAsker} from './ai.harness.ts'
import {connectionCut, databaseAway} from './database-failures.ts'
import {createMediaServer, createScriptedMedia, imageFile, post, tasksOf, type MediaServer} from './media.harness.ts'
import {until} from './until.ts'
import {manualTimers} from './providers.fixtures.ts'

/* A provider was paid for all it has made or begun: a database that is away for a moment must not lose it. */

const media = createScriptedMedia()
const clock = manualTimers()
let on: MediaServer
beforeAll(async () => {
  on = await createMediaServer({tools: [flux], provider: media.provider, timers: clock.timers})
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  const closed = on.close()
  await until(() => clock.waiting().length > 0)
  clock.fireDeadlines()
  await closed
})

/** A task that is being made. */
async function begin() {
  const asker = await createAsker(on, '10')
  const {body} = await post(on, asker, '/flux/images', {prompt: 'owl', async: true})
  await on.work()
  const making = await media.next()
  const state = async () => (await tasksOf(on, asker.userId)).map(({state, error}) => error ?? state)
  const files = async () =>
    (await on.server.deps.database.pool.query('select id from files where user_id = $1', [asker.userId])).rowCount
  return {id: String(body.task_id), asker, making, state, files}
}

/** Lets the next tries of `whileAway` begin. */
async function waitFor(...pauses: number[]) {
  for (const milliseconds of pauses) {
    await until(() => clock.waiting().includes(milliseconds))
    clock.fire(milliseconds)
  }
}

test('an image that was made waits for the database, and is made and entered once', async () => {
  const {making, state, files} = await begin()
  const asUser = vi.spyOn(on.server.deps.database, 'asUser')
  for (let times = 0; times < 2; times += 1) asUser.mockRejectedValueOnce(databaseAway())
  making.finish()
  await waitFor(1_000, 2_000)
  await until(async () => (await state())[0] === 'succeeded')
  expect(await files()).toBe(1)
  expect(media.unasked()).toBe(true)
})

test('an entry that was made although its connection broke is not made again', async () => {
  const {making, state, files} = await begin()
  const {database} = on.server.deps
  const {asUser} = database
  let calls = 0
  vi.spyOn(database, 'asUser').mockImplementation(async (userId, work) => {
    const result = await asUser(userId, work)
    calls += 1
    // the room was looked at, the entry was committed, and its answer was lost
    if (calls === 2) throw connectionCut()
    return result
  })
  const asSystem = vi.spyOn(database, 'asSystem').mockRejectedValueOnce(connectionCut())
  making.finish()
  await waitFor(1_000)
  await until(async () => (await state())[0] === 'succeeded')
  expect(await files()).toBe(1)
  expect(asSystem).toHaveBeenCalled()
})

test('the job of a provider is kept, however long the database is away', async () => {
  const {id, making, state} = await begin()
  const {database} = on.server.deps
  vi.spyOn(database, 'asSystem').mockRejectedValueOnce(connectionCut())
  const stored = making.ask.storeJob('job-1')
  await waitFor(1_000)
  await stored
  const {rows} = await database.pool.query('select provider_job from tasks where id = $1', [id])
  expect(rows).toEqual([{provider_job: 'job-1'}])
  making.finish()
  await until(async () => (await state())[0] === 'succeeded')
})

test('a disk that takes no files is said to the user and in the log, and is not the fault of the provider', async () => {
  const {making, state} = await begin()
  const log = vi.spyOn(on.server.deps.log, 'error')
  const refused = Object.assign(new Error("EROFS: read-only file system, open '/foo'"), {
    code: 'EROFS',
    syscall: 'open',
  })
  const open = () => Promise.reject(refused)
  making.finish([imageFile({file: {open}})])
  await until(async () => (await state())[0] !== 'running')
  expect(await state()).toEqual([{code: 'busy', message: new HttpFailure(507, 'busy', 'diskReadOnly').detail}])
  expect(log.mock.calls).toEqual([
    [
      'a task failed by the disk or the database of this server',
      expect.objectContaining({code: 'EROFS', reason: refused.message}),
    ],
  ])
})
