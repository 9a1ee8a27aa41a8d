import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {tasks} from '#server/store/schema/media.ts'
import {idempotencyKeys} from '#server/store/schema/submits.ts'
import {deadlines} from '#server/media/perform-task.ts'
import {balanceOf, createAsker, type Asker} from './ai.harness.ts'
import {
  createMediaServer,
  createScriptedMedia,
  imageFile,
  post,
  tasksOf,
  usagesOf,
  type MediaServer,
} from './media.harness.ts'
import {until} from './until.ts'
import {manualTimers} from './providers.fixtures.ts'

/*
 * A task has one owner (security R66): two processes work on one database, of which one ends without a word, is slow,
 * or stops.
 */

const media = createScriptedMedia()
const clockA = manualTimers()
const clockB = manualTimers()
let a: MediaServer
let b: MediaServer
const tools = [flux, kling]
/** Bounds of a user as they are: these are what some tests are about. */
const config = {limitFactor: 1}
const drainMilliseconds = 4_000
beforeAll(async () => {
  a = await createMediaServer({tools, provider: media.provider, timers: clockA.timers, config})
  b = await createMediaServer({tools, provider: media.provider, timers: clockB.timers, config, sharing: a})
})
afterAll(async () => {
  await Promise.all([b.close(), drained(clockB)])
  await Promise.all([a.close(), drained(clockA)])
})
/** A process that stops waits a moment for its tasks. */
const drained = async (clock: ReturnType<typeof manualTimers>) => {
  await until(() => clock.waiting().includes(drainMilliseconds))
  clock.fire(drainMilliseconds)
}

const queue = async (own: Asker, on: MediaServer = a, body: object = {prompt: 'owl'}): Promise<string> =>
  (await post(on, own, '/flux/images', {...body, async: true})).body.task_id
const taskOf = async (own: Asker) => {
  const [row] = await tasksOf(a, own.userId)
  if (row === undefined) throw new Error('no task')
  return row
}

describe('a worker that died', () => {
  test('without a job at the provider: failed as interrupted, free, and the late one is shut out', async () => {
    const own = await createAsker(a, '10')
    const id = await queue(own)
    await a.work()
    const making = await media.next()
    await b.service.workersDied([a.workerId])
    const {body} = await post(b, own, '/flux/tasks', {action: 'retrieve', id})
    expect(body.response).toEqual({
      success: false,
      outcome: 'interrupted',
      error: {code: 'api_error', message: 'The server stopped while this was being made. Nothing was charged.'},
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'foo',
    })
    expect(await balanceOf(a, own)).toEqual({remaining: '10.000000', used: '0.000000'})
    expect((await usagesOf(a, own.userId)).map(({statusCode, deductedAmount}) => [statusCode, deductedAmount])).toEqual(
      [[500, '0.000000']],
    )

    const ended = await taskOf(own)
    making.finish([imageFile()])
    await until(() => !a.service.runner.isHere(id))
    expect(await taskOf(own)).toEqual(ended)
    const files = await a.server.deps.database.pool.query('select id from files where user_id = $1', [own.userId])
    expect(files.rows).toEqual([])
  })

  test('with one: the next process asks for that job and buys nothing; charged once', async () => {
    const own = await createAsker(a, '10')
    const id = await queue(own)
    await a.work()
    const first = await media.next()
    await first.ask.storeJob('job-1')
    await b.service.workersDied([a.workerId])
    expect(await taskOf(own)).toMatchObject({state: 'queued', workerId: null, providerJob: 'job-1'})
    await b.work()
    const second = await media.next()
    expect(second.ask.job).toBe('job-1')
    // The first was only slow: it may store nothing any more.
    await expect(first.ask.storeJob('job-2')).rejects.toHaveProperty('code', 'canceled')
    expect(first.ask.signal.aborted).toBe(true)
    second.finish()
    await until(async () => (await taskOf(own)).state === 'succeeded')
    expect(await taskOf(own)).toMatchObject({id, workerId: b.workerId, providerJob: 'job-1'})
    expect(await balanceOf(a, own)).toEqual({remaining: '9.800000', used: '0.200000'})
    expect(await usagesOf(a, own.userId)).toHaveLength(1)
  })

  test('what costs nothing is begun anew, but not for ever', async () => {
    const own = await createAsker(a, '10')
    const free = createScriptedMedia({name: 'sandbox', kind: 'sandbox', local: true, isRepeatable: true})
    const c = await createMediaServer({
      tools,
      provider: free.provider,
      timers: manualTimers().timers,
      config,
      sharing: a,
    })
    const id = await queue(own, c)
    expect((await taskOf(own)).held).toBe('0.000000')
    await c.work()
    for (let run = 1; run <= 4; run += 1) {
      const making = await free.next()
      expect([making.ask.plan.prompt, making.ask.job]).toEqual(['owl', undefined])
      await c.service.workersDied([c.workerId])
      making.fail(new Error('gone')) // its end is shut out; the process takes what waits then
    }
    await until(() => !c.service.runner.isHere(id))
    expect(free.unasked()).toBe(true)
    expect(await taskOf(own)).toMatchObject({state: 'failed', outcome: 'interrupted'})
    await c.close()
  })

  test('what it had taken and its row is gone is found by the next turn', async () => {
    const own = await createAsker(a, '10')
    await queue(own)
    await a.work()
    const making = await media.next()
    await making.ask.storeJob('job-3')
    await a.server.deps.database.pool.query(
      `update tasks set worker_id = 'nobody', fence = fence + 1, started_at = now() - interval '2 minutes' where user_id = $1`,
      [own.userId],
    )
    clockB.fire(5_000)
    const again = await media.next()
    expect(again.ask.job).toBe('job-3')
    again.finish()
    await until(async () => (await taskOf(own)).state === 'succeeded')
    making.fail(new Error('gone'))
  })
})

test('a process that stops lets go what can go on, and interrupts the rest', async () => {
  const clock = manualTimers()
  const ending = await createMediaServer({tools, provider: media.provider, timers: clock.timers, config, sharing: a})
  const [one, other] = [await createAsker(a, '10'), await createAsker(a, '10')]
  await queue(one, ending)
  await ending.work()
  const withJob = await media.next()
  await withJob.ask.storeJob('job-4')
  await queue(other, ending)
  await ending.work()
  await media.next()
  await Promise.all([ending.service.stop(), drained(clock)])
  expect(await taskOf(one)).toMatchObject({state: 'queued', workerId: null, providerJob: 'job-4'})
  expect(await taskOf(other)).toMatchObject({state: 'failed', outcome: 'interrupted'})
  expect((await balanceOf(a, other)).remaining).toBe('10.000000')
  await a.work()
  const going = await media.next()
  expect(going.ask.job).toBe('job-4')
  going.finish()
  await until(async () => (await taskOf(one)).state === 'succeeded')
  await ending.server.deps.database.close()
})

test('five of one user at once; the sixth waits, others do not wait for it', async () => {
  const [own, other] = [await createAsker(a, '10'), await createAsker(a, '10')]
  for (let index = 0; index < 6; index += 1) await queue(own, a, {prompt: `owl ${index}`})
  await queue(other)
  await a.work()
  await b.work()
  const makings = []
  for (let index = 0; index < 6; index += 1) makings.push(await media.next())
  expect(media.unasked()).toBe(true)
  const states = (await tasksOf(a, own.userId)).map(({state}) => state)
  expect(states).toEqual(['running', 'running', 'running', 'running', 'running', 'queued'])
  makings.find(({ask}) => ask.plan.prompt === 'owl 2')?.finish()
  const last = await media.next()
  expect(last.ask.plan.prompt).toBe('owl 5')
  for (const making of [...makings, last]) making.finish()
  await until(async () => (await tasksOf(a, own.userId)).every(({state}) => state === 'succeeded'))
})

test('the queue is not endless', async () => {
  const own = await createAsker(a, '100')
  const row = {userId: own.userId, service: 'flux', operation: 'images', provider: 'foo', traceId: 'foo'}
  await a.server.deps.database.asSystem((transaction) =>
    transaction.insert(tasks).values(Array.from({length: 32}, () => ({...row, request: {prompt: 'owl'}}))),
  )
  const refused = await post(a, own, '/flux/images', {prompt: 'owl', async: true})
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
  await a.server.deps.database.asSystem((transaction) => transaction.delete(tasks).where(eq(tasks.userId, own.userId)))
})

test('a task that takes too long is given up and free', async () => {
  const own = await createAsker(a, '10')
  await queue(own)
  await a.work()
  const making = await media.next()
  // of all that waits, the deadline is the last; a few milliseconds of it are over
  clockA.fire(Math.max(...clockA.waiting().filter((milliseconds) => milliseconds <= deadlines.image)))
  await until(async () => (await taskOf(own)).state === 'failed')
  expect(await taskOf(own)).toMatchObject({error: {code: 'timeout'}, outcome: 'interrupted'})
  expect(making.ask.signal.aborted).toBe(true)
  expect((await balanceOf(a, own)).remaining).toBe('10.000000')
})

test('a key ends two days after its task: a task that runs or ended just now keeps its own, however old', async () => {
  const hour = 3_600_000
  const own = await createAsker(a, '10')
  const headers = (key: string) => ({'idempotency-key': key})
  const send = (key: string) => post(a, own, '/flux/images', {prompt: key, async: true}, headers(key))
  const ids: Record<string, string> = {}
  for (const key of ['ended', 'ended-now', 'runs', 'deleted', 'deleted-now']) ids[key] = (await send(key)).body.task_id
  const {pool} = a.server.deps.database
  const long = new Date(Date.now() - 49 * hour)
  const endAt = (key: string, at: Date) =>
    pool.query(`update tasks set state = 'failed', finished_at = $2 where id = $1`, [ids[key], at])
  await endAt('ended', long)
  await endAt('ended-now', new Date(Date.now() - hour))
  await pool.query('delete from tasks where id = any($1)', [[ids['deleted'], ids['deleted-now']]])
  await pool.query(`update idempotency_keys set created_at = $2 where user_id = $1 and key <> 'deleted-now'`, [
    own.userId,
    long,
  ])
  const keys = async () => {
    const rows = await a.server.deps.database.asSystem((transaction) =>
      transaction.select().from(idempotencyKeys).where(eq(idempotencyKeys.userId, own.userId)),
    )
    return rows.map(({key}) => key).sort()
  }
  clockA.fire(hour)
  await until(async () => (await keys()).length < 5)
  expect(await keys()).toEqual(['deleted-now', 'ended-now', 'runs'])
  expect((await send('runs')).body.task_id).toBe(ids['runs'])
  expect((await send('deleted-now')).status).toBe(409)
})
