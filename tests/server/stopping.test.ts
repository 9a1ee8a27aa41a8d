import {describe, expect, test} from 'vitest'
import {createJobs, reapMilliseconds} from '#server/jobs/jobs.ts'
import {renewMilliseconds} from '#server/jobs/lease.ts'
import {silentLog} from '#server/log.ts'
import {openDatabase} from '#server/store/database.ts'
import {createPeriodicJobs, stopGraceMilliseconds} from '#server/work/periodic-jobs.ts'
import {createTestServer} from './harness.ts'
import {until} from './until.ts'
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
  test('looking for dead workers ends before the database closes, and leaves no row of ours', async () => {
    const server = await createTestServer()
    const database = openDatabase(server.connection, server.requests, silentLog)
    const clock = manualTimers()
    const deathReport = gate()
    const {open, opened} = gate()
    const jobs = createJobs(
      {...server.deps, database},
      {
        tasks: {},
        timers: clock.timers,
        onWorkersDead: async () => {
          deathReport.open()
          await opened
        },
      },
    )
    await jobs.start()
    await database.pool.query(`insert into workers (id, heartbeat_at) values ('dead', now() - interval '5 seconds')`)
    clock.fire(reapMilliseconds)
    await deathReport.opened
    clock.fire(renewMilliseconds)
    const closed = jobs.stop().then(database.close)
    await until(() => clock.waiting().includes(stopGraceMilliseconds))
    open()
    await closed
    expect(server.logged.map(({message}) => message)).toEqual(['workers ended without a word'])
    expect((await server.deps.database.pool.query('select id from workers')).rows).toEqual([])
    expect(clock.waiting()).toEqual([])
    await server.close()
  })
})
