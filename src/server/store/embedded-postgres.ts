import {spawn, type ChildProcess} from 'node:child_process'
import {closeSync, existsSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import type pg from 'pg'
import type {Log} from '../log.ts'
import {StartFailure} from '../start-failure.ts'
import {withClient} from './client.ts'
import {readPostmasterFile, shutDown, socketName, takeOver} from './cluster-processes.ts'
import {findPostgres, type PostgresPrograms} from './postgres-binaries.ts'
import {
  checkVersion,
  environment,
  explainPostgres,
  initialize,
  own,
  removeHalfMade,
  workingFolder,
} from './initialize-cluster.ts'

export type EmbeddedPostgres = {
  /** As the owner `atrium` of database `atrium`, over the unix socket. */
  connection: pg.PoolConfig
  /** As the superuser: installation and backup only, never a request. */
  administrator: pg.PoolConfig
  /** The postmaster's; `undefined` while it is being started again. */
  pid: () => number | undefined
  /** Fast shutdown; resolves when no process of the cluster is left. */
  stop: () => Promise<void>
}

/** A unix socket's path has at most 107 bytes on Linux and 103 on macOS. */
const longestSocketFolder = 100 - socketName.length
const startDeadline = 120_000
const longestRestartWait = 30_000

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, and creates the cluster if there is none. The caller holds the folder's
 * lock (`folder-lock.ts`), so a PostgreSQL that runs there belonged to a killed server: it is shut down and started
 * again. No port and no password: the socket is in a folder that only its owner can enter. `settings` are PostgreSQL's
 * own (tests turn `fsync` off). Throws `StartFailure` with a sentence.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  log: Log,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const programs = findPostgres()
  const cluster = join(realpathSync(dataDir), 'postgres')
  removeHalfMade(dataDir)
  if (existsSync(cluster)) {
    const leftOver = await takeOver(cluster, log)
    if (leftOver !== undefined) rmSync(leftOver, {recursive: true, force: true})
  } else await initialize(dataDir, cluster, programs)
  checkVersion(cluster, programs)

  const socketFolder = chooseSocketFolder(cluster, programs)
  const launch = async () => {
    const child = spawnPostgres({dataDir, cluster, socketFolder, programs, settings})
    return {child, pid: await untilReady(child, cluster, dataDir)}
  }
  const host = socketFolder ?? cluster
  const administrator = {host, user: 'postgres', database: 'postgres'}
  const watch = keepRunning(await launch(), {
    log,
    relaunch: async () => {
      await takeOver(cluster, log)
      return launch()
    },
  })
  const stop = async () => {
    await shutDown(cluster, await watch.release())
    if (socketFolder !== undefined) rmSync(socketFolder, {recursive: true, force: true})
  }
  try {
    await prepareOwner(administrator)
  } catch (error) {
    await stop()
    throw error
  }
  return {connection: {host, user: 'atrium', database: 'atrium'}, administrator, pid: watch.pid, stop}
}

type Launched = {child: ChildProcess; pid: number}

/**
 * Restarts PostgreSQL when it ends by itself (a full disk stops it), with growing waits. Until then requests are
 * answered `busy`; the pool reconnects at the same socket.
 */
function keepRunning(first: Launched, {log, relaunch}: {log: Log; relaunch: () => Promise<Launched>}) {
  let current: Launched | undefined
  let isReleased = false
  const waiting = new AbortController()
  let restarting: Promise<void> | undefined

  const restart = async () => {
    for (let wait = 250; !isReleased; wait = Math.min(wait * 2, longestRestartWait)) {
      await delay(wait, undefined, {signal: waiting.signal, ref: false}).catch(() => undefined)
      if (isReleased) return
      try {
        follow(await relaunch())
        log.info('the database runs again')
        return
      } catch (error) {
        log.error('the database does not start', {reason: error instanceof Error ? error.message : String(error)})
      }
    }
  }
  const follow = (newLaunch: Launched) => {
    current = newLaunch
    newLaunch.child.once('exit', (code, signal) => {
      current = undefined
      if (isReleased) return
      log.error('the database ended by itself', {code, signal})
      restarting = restart().finally(() => (restarting = undefined))
    })
  }
  follow(first)
  return {
    pid: () => current?.pid,
    /** From now on its end is wanted. The processes to end. */
    release: async (): Promise<number[]> => {
      isReleased = true
      waiting.abort()
      await restarting
      return current ? [current.pid] : []
    },
  }
}

/** `undefined` is the cluster's own folder; a longer path than a socket may have gets a short private folder. */
function chooseSocketFolder(cluster: string, programs: PostgresPrograms): string | undefined {
  if (Buffer.byteLength(cluster) <= longestSocketFolder) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'atrium-'))
  own(folder, programs)
  return folder
}

function spawnPostgres(options: {
  dataDir: string
  cluster: string
  socketFolder: string | undefined
  programs: PostgresPrograms
  settings: Record<string, string>
}): ChildProcess {
  const {dataDir, cluster, programs} = options
  const settings = {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  }
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const logFile = join(dataDir, 'postgres.log')
  const tooLong = existsSync(logFile) && statSync(logFile).size > 5_000_000
  const output = openSync(logFile, tooLong ? 'w' : 'a', 0o600)
  try {
    const child = spawn(
      join(programs.folder, 'bin', 'postgres'),
      [
        '-D',
        workingFolder(cluster),
        '-k',
        options.socketFolder ?? (existsSync('/proc/self/cwd') ? '.' : cluster),
        ...parameters,
      ],
      // Its own process group: Ctrl+C reaches us alone, and the database stays until our requests are done.
      {cwd: cluster, env: environment(), detached: true, stdio: ['ignore', output, output], ...programs.account},
    )
    child.unref()
    return child
  } finally {
    closeSync(output)
  }
}

async function untilReady(child: ChildProcess, cluster: string, dataDir: string): Promise<number> {
  let exitText: string | undefined
  child.once('error', (error) => (exitText = error.message))
  child.once('exit', (code, signal) => (exitText ??= `it ended with ${code ?? signal}`))
  const deadline = performance.now() + startDeadline
  while (performance.now() < deadline) {
    if (exitText !== undefined) {
      const output = readFileSync(join(dataDir, 'postgres.log'), 'utf8').slice(-4_000)
      throw new StartFailure(`The database in ${dataDir} does not start: ${explainPostgres(`${exitText}\n${output}`)}`)
    }
    const state = readPostmasterFile(cluster)
    if (child.pid !== undefined && state?.pid === child.pid && state.status === 'ready') return child.pid
    await delay(5)
  }
  throw new StartFailure(
    `The database in ${dataDir} was not ready within ${startDeadline / 1000} s. See postgres.log there.`,
  )
}

/** The owner of the schema is no superuser and obeys forced row-level security; made once, checked at every start. */
async function prepareOwner(administrator: pg.PoolConfig): Promise<void> {
  return withClient(administrator, async (client) => {
    const role = await client.query(`select from pg_roles where rolname = 'atrium'`)
    if (role.rowCount === 0) await client.query('create role atrium login createrole')
    const database = await client.query(`select from pg_database where datname = 'atrium'`)
    if (database.rowCount === 0) await client.query('create database atrium owner atrium')
  })
}
