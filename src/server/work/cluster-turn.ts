import {sql} from 'drizzle-orm'
import type {Database} from '../store/database.ts'

/**
 * Whether it is this process's turn to do work that all processes do once within `milliseconds`: the row `name` of
 * `installation` has the time of the last turn. If the process dies, its turn is over; the next one follows.
 */
export async function takeTurnOfAll(
  database: Database,
  {name, now, milliseconds}: {name: string; now: Date; milliseconds: number},
): Promise<boolean> {
  const before = new Date(now.getTime() - milliseconds)
  const {rows} = await database.asSystem((transaction) =>
    transaction.execute(sql`
      insert into installation (name, value) values (${name}, ${now.toISOString()})
      on conflict (name) do update set value = excluded.value
      where installation.value::timestamptz < ${before.toISOString()}::timestamptz returning name`),
  )
  return rows.length > 0
}
