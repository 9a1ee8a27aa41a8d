import pg from 'pg'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {stopGraceMilliseconds} from '#server/work/periodic-jobs.ts'
import {balanceOf, createAsker, type Asker} from './ai.harness.ts'
import {until} from './until.ts'
import {manualTimers} from './providers.fixtures.ts'
import {answersSubject, poolOf, rowsOf, tasksSubject, type RunProcess, type Work} from './runs.harness.ts'

/*
 * A run has one owner (security R66): two processes work on one database, of which one ends without a word, is slow,
 * or stops. The same for answers and for media tasks.
 */
const sweepMilliseconds = 5_000

describe.each([answersSubject(), tasksSubject()])('runs of one $name each:', (subject) => {
  const {name, perUser, states, next, isUnasked} = subject
  const clockA = manualTimers()
  const clockB = manualTimers()
  let a: RunProcess
  let b: RunProcess
  beforeAll(async () => {
    a = await subject.createProcess({timers: clockA.timers})
    b = await a.beside({timers: clockB.timers})
  })
  afterAll(async () => {
    await b.close()
    await a.close()
  })

  const rows = (own: Asker) => rowsOf(a, subject, own)
  const only = async (own: Asker) => {
    const [row] = await rows(own)
    if (row === undefined) throw new Error('no row')
    return row
  }
  const hasEnded = async (own: Asker) => (await rows(own)).every(({state}) => state === states.ended)
  const createApi = (provider?: string) =>
    a.beside({timers: manualTimers().timers, config: {role: 'api'}, ...(provider === undefined ? {} : {provider})})
  /** Keeps what `statement` locks until the result is called, as a slow disk would. */
  const lock = async (statement: string, values: unknown[] = []) => {
    const client = new pg.Client(a.server.connection)
    await client.connect()
    await client.query('begin')
    await client.query(statement, values)
    return async () => {
      await client.query('commit')
      await client.end()
    }
  }

  test(`${perUser} of a user at once; more wait and start in order; another user does not wait for them`, async () => {
    const [own, other] = [await createAsker(a, '10'), await createAsker(a, '10')]
    for (let index = 0; index < perUser + 2; index += 1) await (index % 2 ? a : b).submit(own, `owl ${index}`)
    await a.submit(other, 'other')
    await a.startWaiting()
    await b.startWaiting()
    const works: Work[] = []
    for (let index = 0; index < perUser + 1; index += 1) works.push(await next())
    expect(isUnasked()).toBe(true)
    expect((await rows(own)).map(({state}) => state)).toEqual([
      ...Array<string>(perUser).fill(states.running),
      states.waiting,
      states.waiting,
    ])
    expect(works.map(({prompt}) => prompt).toSorted()).toEqual([
      'other',
      ...Array.from({length: perUser}, (_, index) => `owl ${index}`),
    ])
    const owls = works.filter(({prompt}) => prompt !== 'other')
    for (const index of [0, 1]) {
      owls[index]?.finish()
      const started = await next()
      expect(started.prompt).toBe(`owl ${perUser + index}`)
      works.push(started)
    }
    for (const {finish} of works) finish()
    await until(async () => (await hasEnded(own)) && (await hasEnded(other)))
  })

  test('a dead worker with nothing to go on from: interrupted and free; the late worker is shut out', async () => {
    const own = await createAsker(a, '10')
    const id = await a.submit(own, 'owl')
    await a.startWaiting()
    const work = await next()
    await b.workersDied([a.workerId])
    const ended = await only(own)
    expect(ended).toEqual({
      id,
      state: 'failed',
      outcome: 'interrupted',
      fence: '2',
      settled: '0.000000',
      error: {code: 'api_error', message: expect.any(String)},
      worker_id: expect.any(String),
      provider: 'foo',
    })
    expect(await balanceOf(a, own)).toEqual({remaining: '10.000000', used: '0.000000'})
    work.finish()
    await until(() => !a.isHere(id))
    expect(await only(own)).toEqual(ended)
    expect(await balanceOf(a, own)).toEqual({remaining: '10.000000', used: '0.000000'})
  })

  test('two workers hear of a death at once: the run ends once', async () => {
    const own = await createAsker(a, '10')
    const id = await a.submit(own, 'owl')
    await a.startWaiting()
    const work = await next()
    await Promise.all([b.workersDied([a.workerId]), b.workersDied([a.workerId]), a.workersDied([a.workerId])])
    expect(await only(own)).toEqual({
      state: 'failed',
      outcome: 'interrupted',
      fence: '2',
      id: expect.any(String),
      error: {code: 'api_error', message: expect.any(String)},
      worker_id: expect.any(String),
      provider: 'foo',
      settled: '0.000000',
    })
    const {rows: entries} = await poolOf(a).query(
      'select kind from ledger_entries where reference = $1 order by kind',
      [`${name}:${id}`],
    )
    expect(entries).toEqual([{kind: 'hold'}, {kind: 'refund'}])
    work.finish()
    await until(() => !a.isHere(id))
  })

  test('the row of its worker is gone: the next sweep recovers the run', async () => {
    const own = await createAsker(a, '10')
    const id = await a.submit(own, 'owl')
    await a.startWaiting()
    const work = await next()
    await poolOf(a).query(
      `update ${name}s set worker_id = 'nobody', fence = fence + 1, started_at = now() - interval '2 minutes' where id = $1`,
      [id],
    )
    clockB.fire(sweepMilliseconds)
    await until(async () => (await only(own)).state === 'failed')
    expect(await only(own)).toEqual({
      outcome: 'interrupted',
      fence: '3',
      id: expect.any(String),
      state: 'failed',
      error: {code: 'api_error', message: expect.any(String)},
      worker_id: 'nobody',
      provider: 'foo',
      settled: '0.000000',
    })
    work.finish()
    await until(() => !a.isHere(id))
  })

  test('in the role api a job calls a worker, and one of two takes it', async () => {
    const api = await createApi()
    const own = await createAsker(a, '10')
    const id = await api.submit(own, 'owl')
    expect(await only(own)).toEqual({
      id,
      state: states.waiting,
      worker_id: null,
      outcome: null,
      error: null,
      fence: '0',
      provider: 'foo',
      settled: null,
    })
    const {rows: jobs} = await poolOf(a).query(
      `select task.identifier, job.max_attempts, job.payload from graphile_worker._private_jobs as job
       join graphile_worker._private_tasks as task on task.id = job.task_id where job.key = $1`,
      [`${name}:${id}`],
    )
    expect(jobs).toEqual([{identifier: name, max_attempts: 1, payload: {[`${name}Id`]: id}}])
    await Promise.all([a.startJob(id), b.startJob(id)])
    const work = await next()
    expect(isUnasked()).toBe(true)
    work.finish()
    await until(() => hasEnded(own))
    expect((await only(own)).fence).toBe('1')
    await api.close()
  })

  test('what waits with nobody to start it is started by the next sweep', async () => {
    const api = await createApi()
    const own = await createAsker(a, '10')
    await api.submit(own, 'owl')
    expect(isUnasked()).toBe(true)
    clockA.fire(sweepMilliseconds)
    ;(await next()).finish()
    await until(() => hasEnded(own))
    await api.close()
  })

  test('the provider that was promised does it, or nobody: one that is gone is not replaced', async () => {
    const api = await createApi('bar')
    const own = await createAsker(a, '10')
    const id = await api.submit(own, 'owl')
    await a.startJob(id)
    await until(async () => (await only(own)).state === 'failed')
    expect(await only(own)).toEqual({
      provider: 'bar',
      outcome: 'refused',
      error: {code: 'bad_request', message: expect.any(String)},
      id: expect.any(String),
      state: 'failed',
      worker_id: expect.any(String),
      fence: '1',
      settled: '0.000000',
    })
    expect((await balanceOf(a, own)).remaining).toBe('10.000000')
    expect(isUnasked()).toBe(true)
    await api.close()
  })

  test('a run that is claimed at the moment of a stop is let go, and its provider not asked', async () => {
    const api = await createApi()
    const ending = await a.beside({timers: manualTimers().timers})
    const own = await createAsker(a, '10')
    const id = await api.submit(own, 'owl')
    const unlock = await lock(`select from ${name}s where id = $1 for update`, [id])
    const claimed = ending.startJob(id)
    await until(() => ending.isHere(id))
    const stopped = ending.stop()
    await unlock()
    await Promise.all([claimed, stopped])
    expect(await only(own)).toEqual({
      state: states.waiting,
      worker_id: null,
      id: expect.any(String),
      outcome: null,
      error: null,
      fence: '2',
      provider: 'foo',
      settled: null,
    })
    expect([isUnasked(), ending.isHere(id)]).toEqual([true, false])
    await ending.server.close()
    await a.startJob(id)
    ;(await next()).finish()
    await until(() => hasEnded(own))
    await api.close()
  })

  test.each([
    ['its process stops', undefined, subject.drainMilliseconds],
    ['it has to stop sooner than usual', 1_000, 1_000],
    ['it may stop later than usual', 600_000, subject.drainMilliseconds],
  ])('a run that does not end in time is interrupted when %s, and free', async (_when, most, expected) => {
    const clock = manualTimers()
    const ending = await a.beside({timers: clock.timers})
    const own = await createAsker(a, '10')
    await ending.submit(own, 'owl')
    await ending.startWaiting()
    const work = await next()
    const stopped = ending.drain(most).then(ending.stop)
    await until(() => clock.waiting().includes(expected))
    clock.fire(expected)
    await stopped
    expect(work.signal.aborted).toBe(true)
    expect(await only(own)).toEqual({
      state: 'failed',
      outcome: 'interrupted',
      fence: '1',
      id: expect.any(String),
      error: {code: 'api_error', message: expect.any(String)},
      worker_id: expect.any(String),
      provider: 'foo',
      settled: '0.000000',
    })
    expect((await balanceOf(a, own)).remaining).toBe('10.000000')
    expect(clock.waiting()).toEqual([])
    await ending.server.close()
  })

  test('a sweep ends before the database closes', async () => {
    const clock = manualTimers()
    const ending = await a.beside({timers: clock.timers})
    const before = ending.server.logged.length
    const unlock = await lock(`lock table ${name}s in access exclusive mode`)
    clock.fire(sweepMilliseconds)
    const closed = ending.close()
    await until(() => clock.waiting().includes(stopGraceMilliseconds))
    await unlock()
    await closed
    expect([ending.server.logged.slice(before), clock.waiting()]).toEqual([[], []])
  })
})
