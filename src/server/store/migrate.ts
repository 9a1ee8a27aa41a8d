import {setTimeout as delay} from 'node:timers/promises'
import {runMigrations} from 'graphile-worker'
import pg from 'pg'
import type {Log} from '../log.ts'
import {workerLogger} from '../jobs/worker-logger.ts'
import {StartFailure} from '../start-failure.ts'
import {ownVersion} from '../version.ts'
import {
  checkApplied,
  describeNodes,
  textHashOf,
  planSteps,
  readApplied,
  readLiveNodes,
  type OwnSchema,
  type SchemaPlan,
} from './schema-state.ts'
import {withClient} from './client.ts'
import {schemaSteps, type SchemaStep} from './schema-steps.ts'
import {takeTurn} from './take-turn.ts'

/** Any number; two processes that start together take turns. */
const migrationLock = 4_163_502
/** Held as well while contract steps may run: a node that only expands does not wait for others. */
const contractLock = 4_163_510

/** Other sessions wait behind a change of a table that waits itself: it gives way soon, and tries again. */
const lockPatience = '3s'
const lockTries = 20
const lockPauseMilliseconds = 500

/** The version and the migrations of this build. */
export const ownSchema: OwnSchema = {version: ownVersion, steps: schemaSteps}

export type MigrateOptions = {
  schema?: OwnSchema
  /** No other process uses this database: what `workers` says is of processes that ended. */
  isAlone?: boolean
  /** Milliseconds to wait for each of the two turns. */
  longestTurn?: number | undefined
}

/**
 * Brings the database to the schema of this build: the request role, our migrations, the job queue's tables. Safe to
 * run by several processes at once and at every start: they take turns, and none waits for ever. Contract steps wait
 * while older nodes live. Throws `StartFailure` with a sentence when this build cannot live with what the database has
 * become or needs a step that waits (docs/upgrading.md), when it is not UTF-8 or older than PostgreSQL 15, or when the
 * user may not prepare it.
 */
export async function migrate(
  connection: pg.PoolConfig,
  log: Log,
  {schema = ownSchema, isAlone = false, longestTurn}: MigrateOptions = {},
): Promise<SchemaPlan> {
  // a step may take long, so queries have no timeout; keep-alive detects a dead connection
  return withClient({...connection, keepAlive: true, keepAliveInitialDelayMillis: 10_000}, async (client) => {
    await checkServer(client)
    await checkRights(client)
    await takeTurn(client, migrationLock, log, longestTurn)
    await prepareRequestRole(client)
    const plan = await applySteps(client, log, {schema, isAlone, longestTurn})
    const pool = new pg.Pool({...connection, max: 1})
    const onError = (error: Error) => log.warn('database connection lost', {error: error.message})
    pool.on('error', onError)
    pool.on('connect', (member) => member.on('error', onError))
    try {
      await runMigrations({pgPool: pool, logger: workerLogger(log)})
    } finally {
      await pool.end()
    }
    return plan
  })
}

/**
 * Looks again once this process has its row in `workers`: a contract step that ran while it had none did not know of
 * it. `false` while one may be running; it does not wait for its end. Throws `StartFailure`.
 */
export async function confirmSchema(pool: pg.Pool, schema: OwnSchema = ownSchema): Promise<boolean> {
  const client = await pool.connect()
  let isBroken = true
  try {
    await client.query('begin')
    const {rows} = await client.query<{free: boolean}>('select pg_try_advisory_xact_lock_shared($1) as free', [
      contractLock,
    ])
    const appliedSteps = rows[0]?.free === true ? await readApplied(client) : undefined
    await client.query('rollback')
    isBroken = false
    if (appliedSteps === undefined) return false
    checkApplied(appliedSteps, schema)
    return true
  } finally {
    // if the statement got no answer, the end of its transaction gets none either
    client.release(isBroken)
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
  const rights = rows[0]
  if (rights?.may) return
  throw new StartFailure(
    `The user ${rights?.role} of DATABASE_URL may not make tables. Make it the owner: alter database ${rights?.name} owner to ${rights?.role};`,
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

async function applySteps(
  client: pg.Client,
  log: Log,
  {schema, isAlone, longestTurn}: MigrateOptions & {schema: OwnSchema; isAlone: boolean},
): Promise<SchemaPlan> {
  await client.query(`
    create table if not exists atrium_migrations (
      name text primary key, hash text not null, applied_at timestamptz not null default now(),
      kind text, needs text, version text
    )`)
  const {rows} = await client.query(
    `select from pg_attribute where attrelid = 'atrium_migrations'::regclass and attname = 'kind'`,
  )
  if (rows.length === 0)
    await client.query('alter table atrium_migrations add kind text, add needs text, add version text')
  const appliedSteps = await readApplied(client)
  checkApplied(appliedSteps, schema)
  const names = new Set(appliedSteps.map(({name}) => name))
  if (schema.steps.some(({name, kind}) => kind === 'contract' && !names.has(name)))
    await takeTurn(client, contractLock, log, longestTurn)
  const nodes = isAlone ? [] : await readLiveNodes(client)
  const plan = planSteps(appliedSteps, schema, nodes)
  for (const step of plan.run) {
    await applyStep(client, step, schema.version)
    log.info('migration applied', {name: step.name})
  }
  if (plan.postponed.length > 0) {
    const names = plan.postponed.map(({name}) => name)
    log.warn('contract steps wait for the end of older nodes', {names, nodes: describeNodes(nodes)})
  }
  return plan
}

async function applyStep(client: pg.Client, step: SchemaStep, version: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query(`begin; set local lock_timeout = '${lockPatience}'`)
    try {
      for (const statement of step.text.split('--> statement-breakpoint')) await client.query(statement)
      await client.query(
        'insert into atrium_migrations (name, hash, kind, needs, version) values ($1, $2, $3, $4, $5)',
        [step.name, textHashOf(step.text), step.kind, step.kind === 'contract' ? step.needs : null, version],
      )
      await client.query('commit')
      return
    } catch (cause) {
      await client.query('rollback')
      if (isLockTimeout(cause) && attempt < lockTries) {
        await delay(lockPauseMilliseconds)
        continue
      }
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new StartFailure(`Migration ${step.name} failed: ${reason}`, {cause})
    }
  }
}

const isLockTimeout = (error: unknown) => error instanceof pg.DatabaseError && error.code === '55P03'
