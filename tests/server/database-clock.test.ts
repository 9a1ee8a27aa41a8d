import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createDatabaseClock, readClock} from '#server/store/database-clock.ts'
import {createTestServer, type TestServer} from './harness.ts'

/** A node whose steady clock and whose database the test sets; the database is asked over a way of two halves. */
function createRead() {
  const time = {steady: 0, ahead: 1_700_000_000_000}
  const clock = createDatabaseClock(() => time.steady)
  const read = (there: number, back: number) =>
    clock.read(async () => {
      time.steady += there
      const answer = time.ahead + time.steady
      time.steady += back
      return answer
    })
  const error = () => clock.now().getTime() - (time.ahead + time.steady)
  return {time, clock, read, error}
}

describe('the clock of the database', () => {
  test('is not guessed before it was read', () => {
    expect(() => createDatabaseClock().now()).toThrow('The clock of the database was not read yet.')
  })

  test('is counted on by the steady clock, and off by no more than half of the way', async () => {
    const {time, read, error} = createRead()
    await read(10, 10)
    expect(error()).toBe(0)
    time.steady += 3_600_000
    expect(error()).toBe(0)
    for (const [there, back] of [
      [30, 0],
      [0, 30],
    ] as const) {
      const other = createRead()
      await other.read(there, back)
      expect(Math.abs(other.error())).toBe(15)
    }
  })

  test('is not taken from an answer that was long on its way, until the better one is old', async () => {
    const {time, read, error} = createRead()
    await read(1, 1)
    await read(400, 0)
    expect(error()).toBe(0)
    time.steady += 400_000
    await read(400, 0)
    expect(error()).toBe(200)
    await read(1, 1)
    expect(error()).toBe(0)
  })

  test('is followed at once when it was moved, as by a fail-over or a machine that slept', async () => {
    const {time, read, error} = createRead()
    await read(1, 1)
    for (const moved of [3_600_000, -7_200_000]) {
      time.ahead += moved
      await read(300, 300)
      expect(error()).toBe(0)
    }
  })

  test('is as it was when the database does not answer', async () => {
    const {clock, read, error} = createRead()
    await read(1, 1)
    await expect(clock.read(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(error()).toBe(0)
  })
})

describe('of a real database', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer()
  })
  afterAll(() => server.close())

  test('the time lies between two that it says itself', async () => {
    const {pool, leases, clock} = server.deps.database
    await readClock(clock, leases)
    const ask = async () =>
      (await pool.query<{time: Date}>('select clock_timestamp() as time')).rows[0]?.time.getTime() ?? Number.NaN
    const before = await ask()
    const now = clock.now().getTime()
    const after = await ask()
    // half of the way of a busy machine
    expect(now).toBeGreaterThan(before - 250)
    expect(now).toBeLessThan(after + 250)
  })
})
