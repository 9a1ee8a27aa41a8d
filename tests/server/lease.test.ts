import type pg from 'pg'
import {expect, test} from 'vitest'
import {createLease, leaseMilliseconds, renewMilliseconds, watchMilliseconds} from '#server/jobs/lease.ts'
import {silentLog} from '#server/log.ts'
import {PassingStartFailure} from '#server/start-failure.ts'
import {createDatabaseClock} from '#server/store/database-clock.ts'
import {longestTurnMilliseconds} from '#server/store/take-turn.ts'
import {until} from './until.ts'
import {manualTimers} from './providers.fixtures.ts'

/** A lease on a database that answers as long as the test wants it to. */
function createWatched(isAlone = false, isConfirmed = () => true) {
  const {timers, fire, waiting} = manualTimers()
  const database = {isAway: false, asked: 0}
  const time = {now: 0}
  let lost = 0
  const query = () => {
    database.asked += 1
    return database.isAway ? Promise.reject(new Error('away')) : Promise.resolve({rows: [{time: 0, isContinued: true}]})
  }
  const lease = createLease({
    pool: {query} as unknown as pg.Pool, // as: it only asks
    databaseClock: createDatabaseClock(),
    timers,
    log: silentLog,
    workerId: () => 'foo',
    isAlone,
    onLost: () => (lost += 1),
    confirmSchema: () => Promise.resolve(isConfirmed()),
    onRefused: () => undefined,
    clock: () => time.now,
  })
  const renew = async () => {
    const before = database.asked
    fire(renewMilliseconds)
    await until(() => database.asked > before)
    // the renewal has heard the answer
    await new Promise((resolve) => setImmediate(resolve))
  }
  const watch = async () => {
    fire(watchMilliseconds)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {lease, database, time, renew, fire, waiting, lost: () => lost, watch}
}

test('a process that does not reach the database lets go before others may take over, also when its timers were late', async () => {
  const {lease, database, time, renew, watch, lost} = createWatched()
  expect(lease.isHeld()).toBe(false)
  await lease.start()
  time.now = 1_000
  await renew()
  database.isAway = true
  time.now = 1_000 + leaseMilliseconds - 501
  await renew()
  await watch()
  expect([lease.isHeld(), lost()]).toEqual([true, 0])
  time.now += 1
  expect(lease.isHeld()).toBe(false)
  await watch()
  expect(lost()).toBe(1)
  await watch()
  expect(lost()).toBe(1)
  database.isAway = false
  await renew()
  expect(lease.isHeld()).toBe(true)
  await lease.stop()
})

test('after an outage it judges nobody until all have had the time of a lease to be heard', async () => {
  const {lease, time, renew} = createWatched()
  await lease.start()
  // one that starts finds the others as they are
  expect(lease.isSettled()).toBe(true)
  time.now = 9_000
  expect(lease.isSettled()).toBe(false)
  await renew()
  expect([lease.isHeld(), lease.isSettled()]).toEqual([true, false])
  time.now += 2_000
  await renew()
  time.now += leaseMilliseconds - 2_000 - 1
  expect(lease.isSettled()).toBe(false)
  time.now += 1
  expect(lease.isSettled()).toBe(true)
  await lease.stop()
})

test('a process that is alone with its database has nobody to be fenced from', async () => {
  const {lease, database, time, waiting} = createWatched(true)
  await lease.start()
  database.isAway = true
  time.now = 1_000_000
  expect([lease.isHeld(), lease.isSettled()]).toEqual([true, true])
  expect(waiting()).not.toContain(watchMilliseconds)
  await lease.stop()
})

test('a start waits for the end of a contraction, but not for ever', async () => {
  const patient = createWatched(false, () => patient.time.now > 0)
  const started = patient.lease.start()
  await until(() => patient.waiting().includes(longestTurnMilliseconds))
  patient.time.now = 1_000
  await patient.renew()
  await started
  expect(patient.waiting()).not.toContain(longestTurnMilliseconds)
  await patient.lease.stop()

  const vain = createWatched(false, () => false)
  const refused = vain.lease.start().catch((error: unknown) => error)
  await until(() => vain.waiting().includes(longestTurnMilliseconds))
  vain.fire(longestTurnMilliseconds)
  expect(await refused).toBeInstanceOf(PassingStartFailure)
  await vain.lease.stop()
})
