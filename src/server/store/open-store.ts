import {setTimeout as delay} from 'node:timers/promises'
import pg from 'pg'
import type {Config} from '../config.ts'
import type {Log} from '../log.ts'
import type {Secrets} from '../secrets.ts'
import {isDatabaseAway} from '../http/boundary.ts'
import {PassingStartFailure, StartFailure} from '../start-failure.ts'
import {unlessAborted} from '../work/races.ts'
import {warnOfFewConnections} from './connection-room.ts'
import {createDiskGuard} from './disk-guard.ts'
import {readClock} from './database-clock.ts'
import {openDatabase, type Database} from './database.ts'
import {startEmbeddedPostgres} from './embedded-postgres.ts'
import {migrate} from './migrate.ts'
import {prepareRequestLogin} from './request-login.ts'
import {checkSecret} from './shared-secret.ts'

export type Store = {
  database: Database
  /** For the router: uploads are refused before their bytes arrive. */
  isDiskLow: () => Promise<boolean>
  close: () => Promise<void>
}

const patienceMilliseconds = 15_000
/**
 * A server that is cut off says nothing, not even that: a query waits no longer than its own time and a bit. A
 * connection that only listens asks nothing: it is tried after ten silent seconds, and closed ten later.
 */
const patience = {
  query_timeout: 7_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 5_000,
}

/**
 * The database of the installation, migrated, its clock read: the embedded one, or that of DATABASE_URL. Throws
 * `StartFailure`, or the reason of `signal` where that ends the wait for a database that does not answer yet.
 */
export async function openStore(
  config: Config,
  log: Log,
  secrets: Secrets,
  signal = new AbortController().signal,
): Promise<Store> {
  const {databaseUrl, databaseDirectUrl, dataDir} = config
  const isDiskLow = createDiskGuard(dataDir)
  if (databaseUrl !== undefined) {
    const connection = {connectionString: databaseUrl, connectionTimeoutMillis: 10_000}
    const direct = databaseDirectUrl === undefined ? undefined : {...connection, connectionString: databaseDirectUrl}
    await unlessAborted(signal, async () => {
      if (direct !== undefined) await untilReachable('DATABASE_DIRECT_URL', direct, log)
      await untilReachable('DATABASE_URL', connection, log)
    })
    await migrate(direct ?? connection, log)
    await checkSecret(direct ?? connection, secrets)
    const requests = await prepareRequestLogin(connection, secrets, {given: config.requestDatabaseUrl, direct})
    // The other machine's disk is its own business; ours holds the uploads.
    const database = openDatabase({...connection, ...patience}, {...requests, ...patience}, log, {
      direct: direct && {...direct, ...patience},
      isShared: true,
    })
    await prepared(database, async () => {
      await readClock(database.clock, database.leases)
      await warnOfFewConnections(database, log, {isPooled: direct !== undefined})
    })
    return {database, isDiskLow, close: database.close}
  }
  const embeddedStore = await startEmbeddedPostgres(dataDir, log)
  try {
    await migrate(embeddedStore.connection, log, {isAlone: true})
    const requests = await prepareRequestLogin(embeddedStore.connection, secrets)
    const database = openDatabase(embeddedStore.connection, requests, log, {isDiskLow})
    await prepared(database, () => readClock(database.clock, database.leases))
    return {
      database,
      isDiskLow,
      close: async () => {
        await database.close()
        await embeddedStore.stop()
      },
    }
  } catch (error) {
    await embeddedStore.stop()
    throw error
  }
}

/** Closes the pools again if a preparation fails. */
async function prepared(database: Database, prepare: () => Promise<void>): Promise<void> {
  try {
    await prepare()
  } catch (error) {
    await database.close()
    throw error
  }
}

/** A database that is started together with us may need a moment; a wrong address or password is said at once. */
async function untilReachable(name: string, connection: pg.ClientConfig, log: Log): Promise<void> {
  const deadline = performance.now() + patienceMilliseconds
  for (let attempt = 1; ; attempt += 1) {
    const client = clientOf(name, connection)
    try {
      await client.connect()
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      // a pooler or balancer takes the connection, and breaks it where nothing is behind it yet
      const isComing = ['ENOENT', 'EAI_AGAIN'].includes(code) || isDatabaseAway(error)
      if (!isComing) throw new StartFailure(unreachable(name, code, error), {cause: error})
      if (performance.now() > deadline) throw new PassingStartFailure(unreachable(name, code, error), {cause: error})
      if (attempt === 1)
        log.warn(`${name}: no PostgreSQL answers there yet; trying on`, {
          code,
          seconds: patienceMilliseconds / 1_000,
        })
      await delay(250)
    } finally {
      // one that could not connect may still hold its socket
      await client.end().catch(() => undefined)
    }
  }
}

/** Reads the files that the address names. */
function clientOf(name: string, connection: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(connection)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    // a folder instead of a file is not named by the error
    const path = 'path' in error ? error.path : undefined
    const files = [...new URLSearchParams(connection.connectionString?.split('?')[1])].filter(
      ([setting, value]) => /^ssl(?:cert|key|rootcert)$/.test(setting) && (path === undefined || value === path),
    )
    const fileNames = files.map((file) => file.join(' ')).join(', ')
    throw new StartFailure(`${name}: ${fileNames} cannot be read.`, {cause: error})
  }
}

function unreachable(name: string, code: string, error: unknown): string {
  switch (code) {
    case '28000':
      if (error instanceof Error && error.message.endsWith('no encryption'))
        return `${name}: the server has no rule (pg_hba.conf) for this address and user without encryption. Add ?sslmode=verify-full to the address (&sslmode=verify-full behind a query), or such a rule on the server.`
      if (error instanceof Error && error.message.includes('pg_hba.conf'))
        return `${name}: the server has no rule (pg_hba.conf) for this address, user and database. Add one on the server.`
      return `${name}: the server refuses this user or password.`
    case '28P01':
      return `${name}: the server refuses this user or password.`
    case '3D000':
      return `${name} names a database that does not exist. Create it: create database atrium encoding 'UTF8';`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `${name}: the certificate of the server is not trusted here. Name the file of its authority: &sslrootcert=… behind ?sslmode=verify-full.`
    case 'ECONNREFUSED':
    case 'ENOENT':
    case '57P03':
      return `${name}: no PostgreSQL answers there. Start it, or leave DATABASE_URL away to use the embedded one.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${name}: this host name is unknown here.`
    default:
      return `${name} cannot be used: ${error instanceof Error ? error.message : String(error)}`
  }
}
