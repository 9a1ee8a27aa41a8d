import type pg from 'pg'

/** The fastest that two clocks of machines that keep time part: one of them is being corrected. */
const drift = 0.0005

/** Milliseconds, told as late as the statement can; for `DatabaseClock.read`. */
export const timeInMilliseconds = 'extract(epoch from clock_timestamp())::float8 * 1000'

/** The database's clock, read over the wire and counted on by a steady clock of this process (docs/decisions/0077). */
export type DatabaseClock = {
  now: () => Date
  /** Compares with a statement that resolves to `timeInMilliseconds`. */
  read: (ask: () => Promise<number>) => Promise<void>
}

/**
 * `steady` counts milliseconds and is not affected by a change of the system time. The answer was written between
 * request and arrival, so a reading may be off by half of that time. It is kept until a better one arrives; a worse one
 * counts only if it shows that the database's clock was changed.
 */
export function createDatabaseClock(steady: () => number = () => performance.now()): DatabaseClock {
  let latest: {difference: number; error: number; at: number} | undefined

  return {
    now: () => {
      if (latest === undefined) throw new Error('The clock of the database was not read yet.')
      return new Date(steady() + latest.difference)
    },
    read: async (ask) => {
      const askedAt = steady()
      const time = await ask()
      const at = steady()
      const reading = {difference: time - (askedAt + at) / 2, error: (at - askedAt) / 2, at}
      if (latest !== undefined) {
        const error = latest.error + (at - latest.at) * drift
        const isMoved = Math.abs(reading.difference - latest.difference) > reading.error + error
        if (reading.error > error && !isMoved) return
      }
      latest = reading
    },
  }
}

/** Reads the clock with a statement of its own. */
export const readClock = (clock: DatabaseClock, pool: pg.Pool): Promise<void> =>
  clock.read(async () => {
    const {rows} = await pool.query<{time: number}>(`select ${timeInMilliseconds} as time`)
    return timeOf(rows)
  })

export function timeOf([row]: readonly {time: number}[]): number {
  if (row === undefined) throw new Error('The database did not say its time.')
  return row.time
}
