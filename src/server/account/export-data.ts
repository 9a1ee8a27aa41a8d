import {makeZip} from 'client-zip'
import {sql} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {openStored, storeOf} from '../files/file-stores.ts'
import {files} from '../store/schema/files.ts'

/** Rows that are read at once. */
const mostRows = 500

/** Tables that are left out: hashes of secrets, and copies of rows that are in other tables. */
const withheldTables: readonly string[] = [
  'access_tokens',
  'login_codes',
  'login_handovers',
  'idempotency_keys',
  'usage_sums',
  'task_counts',
]
const withheldColumns: readonly string[] = [
  'password_hash',
  'token_hash',
  'user_id',
  'fence',
  'worker_id',
  'swept_at',
  'stored_in',
]

type Tables = {name: string; owner: 'id' | 'user_id'}[]

/** Every table with rows of users, asked of the database: a new one is in the export without being named here. */
async function tablesOf({database}: ServerDeps, userId: string): Promise<Tables> {
  const {rows} = await database.asUser(userId, (transaction) =>
    transaction.execute<{name: string}>(sql`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'user_id' order by table_name`),
  )
  const own = rows.filter(({name}) => !withheldTables.includes(name))
  return [{name: 'users', owner: 'id'}, ...own.map(({name}) => ({name, owner: 'user_id' as const}))]
}

/**
 * The user's rows of a table as a JSON list, in pieces. A cursor reads them at the client's pace; the database ends the
 * transaction of a client that reads nothing for a minute.
 */
function readTable({database}: ServerDeps, userId: string, {name, owner}: Tables[number]): ReadableStream<string> {
  const {readable, writable} = new TransformStream<string, string>()
  const writer = writable.getWriter()
  const write = async (): Promise<void> => {
    await database.asUser(userId, async (transaction) => {
      await transaction.execute(sql`set local idle_in_transaction_session_timeout = 60000`)
      await transaction.execute(sql`declare own_rows no scroll cursor for
        select (to_jsonb(own) - ${sql.param([...withheldColumns])}::text[])::text as row
        from ${sql.identifier(name)} as own where ${sql.identifier(owner)} = ${userId}::uuid`)
      await writer.write('[')
      for (let count = 0; ;) {
        const {rows} = await transaction.execute<{row: string}>(sql.raw(`fetch forward ${mostRows} from own_rows`))
        if (rows.length === 0) break
        await writer.write(rows.map(({row}, index) => `${count + index === 0 ? '' : ','}\n${row}`).join(''))
        count += rows.length
      }
      await writer.write('\n]\n')
    })
    await writer.close()
  }
  write().catch((error: unknown) => writer.abort(error).catch(() => undefined))
  return readable
}

/** Entries of the archive: a JSON list for each table, then the user's files under their own names. */
async function* entriesOf(deps: ServerDeps, userId: string) {
  for (const table of await tablesOf(deps, userId))
    yield {name: `${table.name}.json`, input: readTable(deps, userId, table).pipeThrough(new TextEncoderStream())}
  const rows = await deps.database.asUser(userId, (transaction) => transaction.select().from(files))
  for (const {id, name, createdAt, ...location} of rows) {
    // Bytes that are gone (a restored backup) leave the rest of the archive as it is.
    const size = await storeOf(deps.fileStores, location).sizeOf(location.storedAs)
    if (size === undefined) continue
    const input = await openStored(deps.fileStores, location, {start: 0, end: size - 1})
    yield {name: `files/${id}/${name}`, input, lastModified: createdAt, size}
  }
}

/** Everything stored of a user as a ZIP, written as it is read. Row-level security says what is the user's. */
export const exportArchive = (deps: ServerDeps, userId: string): ReadableStream<Uint8Array> =>
  makeZip(entriesOf(deps, userId))
