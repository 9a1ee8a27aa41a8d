import {setTimeout as delay} from 'node:timers/promises'
import type pg from 'pg'
import type {Log} from '../log.ts'
import {PassingStartFailure} from '../start-failure.ts'

/**
 * Longest wait of a start for a node that prepares the database, or contracts its schema. Such a step may take minutes;
 * a node that hangs in it must not block all later starts for ever.
 */
export const longestTurnMilliseconds = 10 * 60_000
const askMilliseconds = 250

export const waitedInVain = (what: string, milliseconds: number) =>
  new PassingStartFailure(
    `${what} for ${Math.round(milliseconds / 1_000)} s. See what it does, and try again (docs/operating.md, "A start that waits").`,
  )

/**
 * Takes an advisory lock for the session of `client`. It polls instead of waiting for the lock: a waiting session does
 * not notice that its connection has died.
 *
 * @throws PassingStartFailure
 */
export async function takeTurn(
  client: pg.Client,
  lock: number,
  log: Log,
  longest = longestTurnMilliseconds,
): Promise<void> {
  const startTime = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    const {rows} = await client.query<{isFree: boolean}>('select pg_try_advisory_lock($1) as "isFree"', [lock])
    if (rows[0]?.isFree === true) return
    const holder = await findHolder(client, lock)
    if (performance.now() - startTime >= longest)
      throw waitedInVain(`The session ${holder ?? 'of another node'} has been preparing the database`, longest)
    if (attempt === 1) log.info('another node prepares the database; the start waits for it', {session: holder})
    await delay(askMilliseconds)
  }
}

/** The process id of the session at the database. */
async function findHolder(client: pg.Client, lock: number): Promise<number | undefined> {
  const {rows} = await client.query<{pid: number}>(
    `select pid from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = $1
      and database = (select oid from pg_database where datname = current_database())`,
    [lock],
  )
  return rows[0]?.pid
}
