import {afterAll, afterEach, beforeAll, describe, expect, test, vi} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {fileRoutes} from '#server/files/files.routes.ts'
import type {MediaProvider} from '#server/providers/media-provider.ts'
import type {Provider} from '#server/providers/provider.ts'
import {toWireMessages} from '#server/providers/openai/wire-messages.ts'
import {ask, balanceOf, createAsker, createTwoProcesses, openStream} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {createTestServer, type TestServer} from './harness.ts'
import {
  createMediaServer,
  createScriptedMedia,
  post,
  readFileAt,
  tasksOf,
  upload,
  type MediaServer,
} from './media.harness.ts'
import {until} from './until.ts'
import {manualTimers} from './providers.fixtures.ts'

/*
 * A process that stood still comes back after another one has taken its run (security R66): it takes nothing away and
 * buys nothing any more.
 */

afterEach(() => vi.restoreAllMocks())

/** A position at which a process stands still once, until it is let go. */
function frozenPosition() {
  let reach = () => {}
  let release = () => {}
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const standStill = async () => {
    reach()
    await released
  }
  return {reached, release, standStill}
}
type Frozen = ReturnType<typeof frozenPosition>

/** Stands still before a transaction of a user, after so many others. */
function freezeTransaction({deps: {database}}: TestServer, {after = 0} = {}): Frozen {
  const frozen = frozenPosition()
  const {asUser} = database
  let begun = 0
  vi.spyOn(database, 'asUser').mockImplementation(async (userId, work) => {
    begun += 1
    if (begun === after + 1) await frozen.standStill()
    return asUser(userId, work)
  })
  return frozen
}

/** Stands still before the next file is read. */
function freezeReading({deps: {fileStores}}: TestServer): Frozen {
  const frozen = frozenPosition()
  const {current} = fileStores
  const {open} = current
  vi.spyOn(current, 'open').mockImplementationOnce(async (...asked) => {
    await frozen.standStill()
    return open(...asked)
  })
  return frozen
}

describe('a task', () => {
  const media = createScriptedMedia()
  /** Reads what goes in before it asks, as providers do that are sent files. */
  const provider: MediaProvider = {
    ...media.provider,
    make: async (asked) => {
      for (const file of await asked.sourceFiles()) await file.read()
      return media.provider.make(asked)
    },
  }
  const [clockA, clockB] = [manualTimers(), manualTimers()]
  let a: MediaServer
  let b: MediaServer
  beforeAll(async () => {
    a = await createMediaServer({tools: [flux], provider, timers: clockA.timers})
    b = await createMediaServer({tools: [flux], provider, timers: clockB.timers, sharing: a})
  })
  afterAll(async () => {
    // what should not have been asked for must not hold up the end
    while (!media.unasked()) (await media.next()).finish()
    await b.close()
    await a.close()
  })
  /** The stale run has ended, or done what it may not. */
  const staleRunIsOver = (id: string) => until(() => !a.service.runner.isHere(id) || !media.unasked())

  const query = async (text: string, userId: string) => (await a.server.deps.database.pool.query(text, [userId])).rows

  test('what the next process has made stays, and is bought once', async () => {
    const own = await createAsker(a, '10')
    const {body} = await post(a, own, '/flux/images', {prompt: 'owl', async: true})
    // from an earlier run: another process may go on with it
    await query(`update tasks set provider_job = 'job-1' where user_id = $1`, own.userId)
    const frozen = freezeTransaction(a.server)
    await a.work()
    await frozen.reached
    await b.service.workersDied([a.workerId])
    await b.work()
    ;(await media.next()).finish()
    await until(async () => (await tasksOf(b, own.userId))[0]?.state === 'succeeded')

    frozen.release()
    await staleRunIsOver(body.task_id)
    const kept = await query('select file_id from task_artifacts where user_id = $1', own.userId)
    expect(kept).toHaveLength(1)
    const task = await post(b, own, '/flux/tasks', {action: 'retrieve', id: body.task_id})
    expect((await readFileAt(b, task.body.response.data[0].image_url)).status).toBe(200)
    expect(media.unasked()).toBe(true)
  })

  /** A task with a file that goes in, which another process ends while this one stands still. */
  async function endMeanwhile(freeze: () => Frozen) {
    const user = await a.server.createUser()
    const own = await createAsker(a, '10', user)
    const image_url = await upload(a, user.accessToken)
    const sent = {action: 'edits', prompt: 'owl', image_url, async: true}
    const {body} = await post(a, own, '/flux/images', sent)
    const frozen = freeze()
    await a.work()
    await frozen.reached
    await b.service.workersDied([a.workerId])
    frozen.release()
    await staleRunIsOver(body.task_id)
    expect(media.unasked()).toBe(true)
    expect((await tasksOf(b, own.userId)).map(({state, outcome}) => [state, outcome])).toEqual([
      ['failed', 'interrupted'],
    ])
    expect((await balanceOf(b, own)).remaining).toBe('10.000000')
  }

  test('that ended while its sources were looked for is not bought', () =>
    // the first transaction takes away what an earlier run has made
    endMeanwhile(() => freezeTransaction(a.server, {after: 1})))

  test('that ended while its sources were read is not bought', () => endMeanwhile(() => freezeReading(a.server)))
})

describe('a question', () => {
  const model = createScriptedProvider()
  /** Reads the files of a question before it asks, as providers do. */
  const provider: Provider = {
    ...model.provider,
    chat: async (input, take) => {
      await toWireMessages(input)
      await model.provider.chat(input, take)
    },
  }
  let on: Awaited<ReturnType<typeof createTwoProcesses>>
  beforeAll(async () => {
    on = await createTwoProcesses(provider)
  })
  afterAll(async () => {
    while (!model.unasked()) (await model.next()).finish()
    await on.close()
  })

  /** A question with a file, which another process ends while this one stands still. */
  async function endMeanwhile(freeze: () => Frozen) {
    const {a, b} = on
    const user = await a.server.createUser()
    const own = await createAsker(a, '10', user)
    const files = await createTestServer({routes: fileRoutes, sharing: a.server})
    const address = await upload({server: files}, user.accessToken)
    await files.close()
    const frozen = freeze()
    const stream = openStream(await ask(a, own, {references: [address]}))
    await frozen.reached
    await b.service.workersDied([a.workerId])
    frozen.release()
    const {rows} = await a.server.deps.database.pool.query<{id: string}>('select id from answers where user_id = $1', [
      own.userId,
    ])
    await until(() => rows.every(({id}) => !a.service.runner.isHere(id)) || !model.unasked())
    expect(model.unasked()).toBe(true)
    expect((await stream.rest()).at(-1)?.data).toEqual({
      outcome: 'interrupted',
      id: expect.any(String),
      error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
    })
    expect((await balanceOf(b, own)).remaining).toBe('10.000000')
  }

  test('that ended before it was asked is not asked any more', () =>
    endMeanwhile(() => {
      const frozen = frozenPosition()
      const {runner} = on.a.service
      const {start} = runner
      vi.spyOn(runner, 'start').mockImplementationOnce((...run) => void frozen.standStill().then(() => start(...run)))
      return frozen
    }))

  test('that ended while its files were read is not asked any more', () =>
    endMeanwhile(() => freezeReading(on.a.server)))
})
