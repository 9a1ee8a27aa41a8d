import type pg from 'pg'
import type {Config} from '../config.ts'
import {silentLog} from '../log.ts'
import {createSecrets, readMasterSecret} from '../secrets.ts'
import {StartFailure} from '../start-failure.ts'
import {findRunningPostgres} from '../store/cluster-processes.ts'
import {readClock} from '../store/database-clock.ts'
import {openDatabase, type Database} from '../store/database.ts'
import {makeDataFolder} from '../store/data-folder.ts'
import {startEmbeddedPostgres} from '../store/embedded-postgres.ts'
import {lockFolder} from '../store/folder-lock.ts'
import {migrate} from '../store/migrate.ts'
import {prepareRequestLogin} from '../store/request-login.ts'
import {checkSecret} from '../store/shared-secret.ts'

/** The embedded cluster for a command: the running server's, else started for the command and stopped after it. */
export async function withCluster<T>(
  {dataDir}: Config,
  work: (cluster: {connection: pg.PoolConfig; administrator: pg.PoolConfig}) => Promise<T>,
): Promise<T> {
  makeDataFolder(dataDir)
  const running = findRunningPostgres(dataDir)
  if (running) return work({administrator: running, connection: {...running, user: 'atrium', database: 'atrium'}})
  const unlock = lockFolder(dataDir)
  try {
    const cluster = await startEmbeddedPostgres(dataDir, silentLog)
    try {
      return await work(cluster)
    } finally {
      await cluster.stop()
    }
  } finally {
    unlock()
  }
}

/** The way to the installation's PostgreSQL for a command, past any pooler, while a server runs or not. */
export async function withConnection<T>(config: Config, work: (connection: pg.PoolConfig) => Promise<T>): Promise<T> {
  return config.databaseUrl === undefined
    ? withCluster(config, ({connection}) => work(connection))
    : work({connectionString: config.databaseDirectUrl ?? config.databaseUrl})
}

/** An operator sits before a command: it says sooner than a start that another node prepares the database. */
const commandPatienceMilliseconds = 60_000

/** The installation's database for a command, migrated. */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  return withConnection(config, async (connection) => {
    await migrate(connection, silentLog, {longestTurn: commandPatienceMilliseconds})
    const secrets = createSecrets(readMasterSecret(config.secret, config.dataDir))
    if (config.databaseUrl !== undefined) await checkSecret(connection, secrets)
    const requests = await prepareRequestLogin(connection, secrets, {given: config.requestDatabaseUrl})
    const database = openDatabase({...connection, max: 2}, {...requests, max: 2}, silentLog)
    try {
      await readClock(database.clock, database.leases)
      return await work(database)
    } finally {
      await database.close()
    }
  })
}

/** Backup and restore copy the embedded cluster's folder; an own PostgreSQL has better tools. */
export function requireEmbedded(config: Config): void {
  if (config.databaseUrl === undefined) return
  throw new StartFailure(
    'DATABASE_URL is set: back up and restore that PostgreSQL with its own tools (pg_dump, pg_restore), and copy DATA_DIR/files.',
  )
}
