import {afterAll, beforeAll, expect, test, vi} from 'vitest'
import {createJobs, enqueueJob, type Jobs, type JobTask} from '#server/jobs/jobs.ts'
import {databaseAway} from './database-failures.ts'
import {createTestServer, type TestServer} from './harness.ts'

let server: TestServer
const running: Jobs[] = []
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(async () => {
  await Promise.all(running.map((jobs) => jobs.stop()))
  await server.close()
})

const query = async (text: string, values: unknown[] = []) =>
  (await server.deps.database.pool.query<Record<string, unknown>>(text, values)).rows

/** Resolves with what the task got, when it is called. */
function observedTask(work: (signal: AbortSignal) => Promise<void> = async () => undefined) {
  let report: (value: {payload: unknown; workerId: string}) => void
  const called = new Promise<{payload: unknown; workerId: string}>((resolve) => (report = resolve))
  const task: JobTask = async (payload, {workerId, signal}) => {
    report({payload, workerId})
    await work(signal)
  }
  return {task, called}
}

async function start(options: Parameters<typeof createJobs>[1]): Promise<Jobs> {
  const jobs = createJobs(server.deps, options)
  await jobs.start()
  running.push(jobs)
  return jobs
}

test('a job that a user adds runs once its transaction is committed', async () => {
  const {task, called} = observedTask()
  const jobs = await start({tasks: {foo: task}})
  const {user} = await server.createUser()
  await server.deps.database.asUser(user.id, (transaction) => enqueueJob(transaction, 'foo', {bar: 1}))
  expect(await called).toEqual({payload: {bar: 1}, workerId: jobs.workerId()})
})

test('a worker that stops takes its row along; draining aborts the job', async () => {
  let aborted = false
  const {task, called} = observedTask(
    (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true
          resolve()
        })
      }),
  )
  const jobs = await start({tasks: {waiting: task}})
  await server.deps.database.asSystem((transaction) => enqueueJob(transaction, 'waiting', {}))
  await called
  expect(await query('select id from workers where id = $1', [jobs.workerId()])).toHaveLength(1)
  await jobs.stop()
  expect(aborted).toBe(true)
  expect(await query('select id from workers where id = $1', [jobs.workerId()])).toEqual([])
})

test('the jobs of a worker without a heartbeat are told and unlocked, and one paid attempt is not made twice', async () => {
  await server.deps.database.asSystem((transaction) => enqueueJob(transaction, 'lost', {}, {attempts: 1}))
  await server.deps.database.asSystem((transaction) => enqueueJob(transaction, 'lost', {}, {attempts: 2}))
  await query(
    `insert into workers (id, heartbeat_at) values ('dead', now() - interval '4.1 seconds'), ('slow', now() - interval '2 seconds')`,
  )
  await query(`update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now(), attempts = 1
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'lost')`)
  const deadIds: string[] = []
  let calls = 0
  const {task, called} = observedTask(async () => {
    calls += 1
  })
  const jobs = await start({tasks: {lost: task}, onWorkersDead: async (ids) => void deadIds.push(...ids)})
  await called
  expect(deadIds).toEqual(['dead'])
  expect((await query('select id from workers order by id')).map(({id}) => id)).toEqual(
    expect.arrayContaining(['slow', jobs.workerId()]),
  )
  expect(await query(`select id from workers where id = 'dead'`)).toEqual([])
  await jobs.stop()
  expect(calls).toBe(1)
  // a job that was done at the stop may be taken off the queue a moment later
  await expect
    .poll(() =>
      query(`select attempts, max_attempts, locked_by from graphile_worker.jobs where task_identifier = 'lost'`),
    )
    .toEqual([{attempts: 1, max_attempts: 1, locked_by: null}])
})

test('the only process of a data folder does not wait for heartbeats of the one before', async () => {
  await query(`insert into workers (id, heartbeat_at) values ('before', now())`)
  await server.deps.database.asSystem((transaction) => enqueueJob(transaction, 'begun', {}))
  await query(`update graphile_worker._private_jobs set locked_by = 'nobody', locked_at = now(), attempts = 1
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'begun')`)
  const deadIds: string[] = []
  await start({tasks: {}, isOnlyProcess: true, onWorkersDead: async (ids) => void deadIds.push(...ids)})
  expect(deadIds).toEqual(expect.arrayContaining(['before', 'nobody']))
})

test('a job whose end cannot be written down, because the database is away, ends the process not and the job soon', async () => {
  const {direct} = server.deps.database
  let isAway = false
  const {connect} = direct
  const broken = (...callback: unknown[]): unknown =>
    isAway && callback.length === 0 ? Promise.reject(databaseAway()) : Reflect.apply(connect, direct, callback)
  const spy = vi.spyOn(direct, 'connect').mockImplementation(broken as never) // as: it is called as that is
  // what nobody handles fails the run of the tests
  for (const [name, work] of [
    ['ending', async () => void (isAway = true)],
    [
      'failing',
      async () => {
        isAway = true
        throw new Error('foo')
      },
    ],
  ] as const) {
    isAway = false
    const {task, called} = observedTask(work)
    await start({tasks: {[name]: task}})
    await server.deps.database.asSystem((transaction) => enqueueJob(transaction, name, {}))
    await called
    await expect
      .poll(() => server.logged.some(({message}) => message === 'the job queue waits for the database'))
      .toBe(true)
    isAway = false
    const open = 'select id from graphile_worker.jobs where task_identifier = $1 and locked_by is not null'
    await expect.poll(() => query(open, [name])).toEqual([])
  }
  spy.mockRestore()
})
