import {eq} from 'drizzle-orm'
import pg from 'pg'
import {describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {createJobs} from '#server/jobs/jobs.ts'
import {silentLog} from '#server/log.ts'
import {openDatabase} from '#server/store/database.ts'
import {tasks} from '#server/store/schema/media.ts'
import {createPeriodicJobs, stopGraceMilliseconds} from '#server/work/periodic-jobs.ts'
import {createAsker} from './ai.harness.ts'
import {createTestServer} from './harness.ts'
import {createMediaServer, createScriptedMedia, post, until} from './media.harness.ts'
import {manualTimers} from './providers.fixtures.ts'

/*
 * A process that stops: what comes round has ended before the database closes, and nothing comes round after it.
 */

/** A promise that the test keeps. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return {open, opened}
}

describe('periodic jobs', () => {
  function createLogged() {
    const clock = manualTimers()
    const lines: string[] = []
    const log = {...silentLog, warn: (message: string) => void lines.push(message)}
    return {clock, lines, periodicJobs: createPeriodicJobs({timers: clock.timers, log})}
  }

  test('a stop waits for the execution under way, and none comes after it', async () => {
    const {clock, lines, periodicJobs} = createLogged()
    const {open, opened} = gate()
    const events: string[] = []
    periodicJobs.every(10, 'foo', async () => {
      events.push('begun')
      await opened
      events.push('ended')
    })
    clock.fire(10)
    clock.fire(10)
    const stopped = periodicJobs.stop().then(() => events.push('stopped'))
    open()
    await stopped
    expect(events).toEqual(['begun', 'ended', 'stopped'])
    expect([clock.waiting(), lines]).toEqual([[], []])
  })

  test('a failed execution is logged and followed by the next', async () => {
    const {clock, lines, periodicJobs} = createLogged()
    let count = 0
    periodicJobs.every(10, 'foo', async () => {
      count += 1
      if (count === 1) throw new Error('bar')
    })
    clock.fire(10)
    await until(() => lines.length > 0)
    await until(() => {
      clock.fire(10)
      return count > 1
    })
    await periodicJobs.stop()
    expect(lines).toEqual(['foo failed'])
  })

  test('one that does not end holds a stop no longer than its grace, which is said', async () => {
    const {clock, lines, periodicJobs} = createLogged()
    periodicJobs.every(10, 'foo', () => new Promise(() => undefined))
    periodicJobs.every(10, 'bar', () => Promise.resolve())
    clock.fire(10)
    const stopped = periodicJobs.stop()
    clock.fire(stopGraceMilliseconds)
    await stopped
    expect([clock.waiting(), lines]).toEqual([[], ['foo has not ended; stopping without it']])
  })
})

describe('a process', () => {
  /** Keeps what `statement` locks until it is opened, as a slow disk would. */
  async function lock(connection: pg.PoolConfig, statement: string, values: unknown[] = []) {
    const client = new pg.Client(connection)
    await client.connect()
    await client.query('begin')
    await client.query(statement, values)
    return async () => {
      await client.query('commit')
      await client.end()
    }
  }

  test('looking for dead workers ends before the database closes, and leaves no row of ours', async () => {
    const server = await createTestServer()
    const database = openDatabase(server.connection, server.requests, silentLog)
    const clock = manualTimers()
    const told = gate()
    const {open, opened} = gate()
    const jobs = createJobs(
      {...server.deps, database},
      {
        tasks: {},
        timers: clock.timers,
        onWorkersDead: async () => {
          told.open()
          await opened
        },
      },
    )
    await jobs.start()
    await database.pool.query(`insert into workers (id, heartbeat_at) values ('dead', now() - interval '31 seconds')`)
    clock.fire(30_000)
    await told.opened
    clock.fire(10_000)
    const closed = jobs.stop().then(database.close)
    await until(() => clock.waiting().includes(stopGraceMilliseconds))
    open()
    await closed
    expect(server.logged.map(({message}) => message)).toEqual(['workers ended without a word'])
    expect((await server.deps.database.pool.query('select id from workers')).rows).toEqual([])
    expect(clock.waiting()).toEqual([])
    await server.close()
  })

  test('looking after media tasks ends before the database closes', async () => {
    const clock = manualTimers()
    const media = await createMediaServer({
      tools: [flux],
      provider: createScriptedMedia().provider,
      timers: clock.timers,
    })
    const {connection, logged} = media.server
    const open = await lock(connection, 'lock table tasks in access exclusive mode')
    clock.fire(5_000)
    const closed = media.close()
    await until(() => clock.waiting().includes(stopGraceMilliseconds))
    await open()
    await closed
    expect([logged, clock.waiting()]).toEqual([[], []])
  })

  test('a task that is taken in the moment of the stop is let go, and its provider not asked', async () => {
    const scripted = createScriptedMedia()
    const media = await createMediaServer({tools: [flux], provider: scripted.provider})
    const own = await createAsker(media, '10')
    const {task_id: id} = (await post(media, own, '/flux/images', {prompt: 'owl', async: true})).body as {
      task_id: string
    }
    const open = await lock(media.server.connection, 'select from tasks where id = $1 for update', [id])
    const working = media.work()
    await until(() => media.service.runner.isHere(id))
    const stopped = media.service.stop()
    await open()
    await Promise.all([working, stopped])
    const [row] = await media.server.deps.database.asSystem((transaction) =>
      transaction.select().from(tasks).where(eq(tasks.id, id)),
    )
    expect(row).toMatchObject({state: 'queued', workerId: null})
    expect([scripted.unasked(), media.service.runner.isHere(id)]).toEqual([true, false])
    await media.server.close()
  })
})
