import {sql} from 'drizzle-orm'
import type {Database} from '../store/database.ts'

/**
 * Whether this process is the one of all to do what is done once within `milliseconds`: the row `name` of `installation`
 * says when it was done last. One that dies meanwhile has had its turn; the next follows.
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
