import {createHash} from 'node:crypto'
import {runMigrations} from 'graphile-worker'
import pg from 'pg'
import type {Log} from '../log.ts'
import {workerLogger} from '../jobs/worker-logger.ts'
import {StartFailure} from '../start-failure.ts'

/** All migrations in the order of their numbers; bundled as text, so that the built server needs no folder beside it. */
const migrations = Object.entries(
  import.meta.glob<string>('./migrations/*.sql', {query: '?raw', import: 'default', eager: true}),
)
  .map(([path, text]) => ({name: path.replace(/^.*\/|\.sql$/g, ''), text}))
  .sort((a, b) => a.name.localeCompare(b.name))

/** Any number; two processes that start together take turns. */
const migrationLock = 4_163_502

/**
 * Brings the database to the schema of this build: the request role, our migrations, the job queue's tables. Safe to run
 * by several processes at once and at every start. Throws `StartFailure` with a sentence when the database was written
 * by a newer Atrium, when it is not UTF-8 or older than PostgreSQL 15, or when the user may not prepare it.
 */
export async function migrate(connection: pg.PoolConfig, log: Log): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await checkServer(client)
    await checkRights(client)
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await prepareRequestRole(client)
    await applyMigrations(client, log)
    const pool = new pg.Pool({...connection, max: 1})
    const onError = (error: Error) => log.warn('database connection lost', {error: error.message})
    pool.on('error', onError)
    pool.on('connect', (member) => member.on('error', onError))
    try {
      await runMigrations({pgPool: pool, logger: workerLogger(log)})
    } finally {
      await pool.end()
    }
  } finally {
    await client.end()
  }
}

async function checkServer(client: pg.Client): Promise<void> {
  const {rows} = await client.query<{version: number; encoding: string}>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  )
  const version = rows[0]?.version ?? 0
  if (version < 150_000)
    throw new StartFailure(`DATABASE_URL names a PostgreSQL older than 15 (${version}). Use 15 or newer.`)
  if (rows[0]?.encoding !== 'UTF8') {
    throw new StartFailure(
      `DATABASE_URL names a database with encoding ${rows[0]?.encoding}. Create one with encoding UTF8.`,
    )
  }
}

async function checkRights(client: pg.Client): Promise<void> {
  const {rows} = await client.query<{may: boolean; role: string; name: string}>(`
    select has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create') as may,
      current_user as role, current_database() as name`)
  const found = rows[0]
  if (found?.may) return
  throw new StartFailure(
    `The user ${found?.role} of DATABASE_URL may not make tables. Make it the owner: alter database ${found?.name} owner to ${found?.role};`,
  )
}

/** Roles belong to the cluster, not to the database, so that a restored database finds them again at each start. */
async function prepareRequestRole(client: pg.Client): Promise<void> {
  const {rows} = await client.query<{known: boolean; usable: boolean; powerful: boolean; version: number}>(`
    select
      exists (select from pg_roles where rolname = 'atrium_app') as known,
      exists (select from pg_roles where rolname = 'atrium_app' and pg_has_role(current_user, oid, 'MEMBER')) as usable,
      exists (select from pg_roles where rolname = 'atrium_app' and (rolsuper or rolbypassrls)) as powerful,
      current_setting('server_version_num')::int as version`)
  const state = rows[0]
  if (state?.powerful) {
    throw new StartFailure(
      'The database role atrium_app bypasses row-level security. Take SUPERUSER and BYPASSRLS from it.',
    )
  }
  try {
    if (!state?.known) await createRole(client)
    // From version 16 on, the creator of a role is a member for administration only: SET must be granted too.
    const options = (state?.version ?? 0) >= 160_000 ? ' with set true, inherit false' : ''
    if (!state?.usable || !(await canSetRole(client))) await client.query(`grant atrium_app to current_user${options}`)
  } catch (cause) {
    throw new StartFailure(
      'The user of DATABASE_URL may not prepare the role atrium_app. As an administrator run: ' +
        'create role atrium_app nologin; grant atrium_app to <that user>;',
      {cause},
    )
  }
}

/** Two databases of one cluster may be prepared at the same moment; the second finds the role made. */
async function createRole(client: pg.Client): Promise<void> {
  await client.query(`
    do $$ begin
      create role atrium_app nologin;
    exception when duplicate_object or unique_violation then null;
    end $$`)
}

async function canSetRole(client: pg.Client): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query('set local role atrium_app')
    return true
  } catch {
    return false // the answer to the question, not a failure
  } finally {
    await client.query('rollback')
  }
}

async function applyMigrations(client: pg.Client, log: Log): Promise<void> {
  await client.query(`
    create table if not exists atrium_migrations (
      name text primary key, hash text not null, applied_at timestamptz not null default now()
    )`)
  const {rows} = await client.query<{name: string; hash: string}>('select name, hash from atrium_migrations')
  const applied = new Map(rows.map((row) => [row.name, row.hash]))
  for (const name of applied.keys()) {
    if (!migrations.some((migration) => migration.name === name)) {
      throw new StartFailure(
        `The database was written by a newer Atrium (migration ${name}). Start that version, or restore a backup.`,
      )
    }
  }
  for (const {name, text} of migrations) {
    const hash = createHash('sha256').update(text).digest('hex')
    const known = applied.get(name)
    if (known !== undefined) {
      if (known !== hash) throw new StartFailure(`Migration ${name} differs from the one this database was made with.`)
      continue
    }
    await client.query('begin')
    try {
      for (const statement of text.split('--> statement-breakpoint')) await client.query(statement)
      await client.query('insert into atrium_migrations (name, hash) values ($1, $2)', [name, hash])
      await client.query('commit')
    } catch (cause) {
      await client.query('rollback')
      throw new StartFailure(`Migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      })
    }
    log.info('migration applied', {name})
  }
}
