import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {setupAddress} from './auth/registration.ts'
import type {Config} from './config.ts'
import {isLoopback} from './config-values.ts'
import type {ServerDeps} from './deps.ts'
import {createApplication, type Backend} from './handler.ts'
import {checkFileStores} from './files/check-stores.ts'
import {openFileStores} from './files/file-stores.ts'
import {describeError, isDatabaseAway} from './http/boundary.ts'
import {keepBuildFiles} from './http/build-files.ts'
import {withHealth, type Health} from './http/health.ts'
import {listen, type Front} from './http/listen.ts'
import {openStaticFiles, type StaticFiles} from './http/static-files.ts'
import type {Log} from './log.ts'
import {realTimers} from './providers/timers.ts'
import {createSecrets, readMasterSecret} from './secrets.ts'
import {PassingStartFailure, StartFailure} from './start-failure.ts'
import {makeDataFolder} from './store/data-folder.ts'
import {lockFolderSoon, type FolderLock, type LockOptions} from './store/folder-lock.ts'
import {confirmSchema} from './store/migrate.ts'
import {openStore} from './store/open-store.ts'
import {createPeriodicJobs} from './work/periodic-jobs.ts'

export type RunningServer = {
  /** The address where people open it; `undefined` in the role `worker`, which only says how it is. */
  url: string | undefined
  /** The address that makes the first account, until there is one; only where other machines reach the server. */
  setupUrl: string | undefined
  deps: ServerDeps
  application: Backend
  /** Begins nothing more, ends streams, lets work end for DRAIN_SECONDS or `mostMilliseconds`, closes the database. */
  stop: (mostMilliseconds?: number) => Promise<void>
}

export type StartOptions = LockOptions & {
  log: Log
  /** Folder of the built client; default: beside the built server. `null` serves none. */
  clientFolder?: string | null
  /** The database has become what this server cannot read: it has to stop. */
  onRefused?: (failure: StartFailure) => void
  /** The client as sources instead of a built folder, and what serves them (`src/tools/dev.mjs`). */
  development?: {client: StaticFiles; front: Front}
}

/** After DRAIN_SECONDS: time for waiting requests to get the end of their run. */
const hearMilliseconds = 1_000
/** For requests that were told that the server ends. */
const cutMilliseconds = 2_000
const keepBuildMilliseconds = 24 * 3_600_000

/**
 * Starts a server with these settings and resolves when it answers. If a later step fails, the earlier ones are stopped
 * again. Throws `StartFailure` for everything that an operator can mend.
 */
export async function startServer(
  config: Config,
  {log, clientFolder, development, onRefused, ...waiting}: StartOptions,
): Promise<RunningServer> {
  const undo: ((mostMilliseconds?: number) => Promise<void> | void)[] = []
  let lock: FolderLock | undefined
  const stop = async (mostMilliseconds?: number) => {
    lock?.leave()
    for (const step of undo.splice(0).reverse()) await step(mostMilliseconds)
  }
  try {
    makeDataFolder(config.dataDir)
    // With an own PostgreSQL several processes share the folder of the uploads; the database orders them.
    if (config.databaseUrl === undefined) {
      lock = await lockFolderSoon(config.dataDir, waiting)
      undo.push(lock.unlock)
    }
    const secrets = createSecrets(readMasterSecret(config.secret, config.dataDir))
    const {database, isDiskLow, close} = await openStore(config, log, secrets, waiting.signal)
    undo.push(close)
    const fileStores = await openFileStores(config)
    await checkFileStores({config, database, fileStores, log})
    const deps: ServerDeps = {config, database, fileStores, now: database.clock.now, log, secrets, isDiskLow}
    const client = development?.client ?? openClient(clientFolder)
    const application = createApplication(deps, {
      client,
      isOnlyProcess: config.databaseUrl === undefined,
      schema: {confirmSchema: () => confirmSchema(database.leases), onRefused},
    })
    undo.push(application.stop)
    await application.start()
    if (config.role === 'worker') {
      if (config.healthPort !== undefined) undo.push(await listenForHealth(deps, application.health, config.healthPort))
      undo.push(application.drain)
      return {url: undefined, setupUrl: undefined, deps, application, stop}
    }
    if (client !== undefined) undo.push(await shareBuild(deps, client))
    const listener = await listen(deps, withHealth(deps, application.health, application.handle), development?.front)
    undo.push(async (mostMilliseconds = Infinity) => {
      const milliseconds = Math.min(mostMilliseconds, config.drainSeconds * 1_000)
      const draining = application.drain(milliseconds)
      await Promise.all([draining, listener.drain(milliseconds + hearMilliseconds, cutMilliseconds)])
    })
    return {url: publicUrl(config), setupUrl: await setupAddress(deps), deps, application, stop}
  } catch (error) {
    await stop()
    throw explain(error, config)
  }
}

/** Nothing of a server fails because pages of other builds cannot be helped. Returns the way to stop. */
async function shareBuild({database, log}: ServerDeps, client: StaticFiles): Promise<() => Promise<void>> {
  const assets = client.assets()
  if (assets.length === 0) return async () => undefined
  const keep = () => keepBuildFiles(database, assets)
  await keep().catch((error: unknown) =>
    log.warn('the files of this build are not kept for others', describeError(error)),
  )
  const periodicJobs = createPeriodicJobs({timers: realTimers, log})
  periodicJobs.every(keepBuildMilliseconds, 'keeping the files of this build', keep)
  return periodicJobs.stop
}

/** Returns the way to stop. */
async function listenForHealth(deps: ServerDeps, health: () => Health, port: number): Promise<() => Promise<void>> {
  const config = {...deps.config, port, serviceOrigins: {}}
  const nothing = () => Promise.resolve(new Response(null, {status: 404}))
  const {drain} = await listen({...deps, config}, withHealth(deps, health, nothing))
  return () => drain(0, 0)
}

function openClient(folder: string | null | undefined): StaticFiles | undefined {
  const clientFolder = folder === undefined ? builtClient() : folder
  return clientFolder === null || clientFolder === undefined ? undefined : openStaticFiles(clientFolder)
}

/** `dist/client` beside `dist/server`, wherever the bundler put this file below it. */
function builtClient(): string | undefined {
  return ['../client', '../../client']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((folder) => existsSync(join(folder, 'index.html')))
}

const publicUrl = ({publicOrigins, host, port}: Config): string => {
  if (publicOrigins[0] !== undefined) return publicOrigins[0]
  return `http://${isLoopback(host) ? 'localhost' : host}:${port}`
}

/** Turns an error of the file system or the database into a sentence that says what to do. */
function explain(error: unknown, {dataDir, databaseUrl}: Config): unknown {
  if (error instanceof StartFailure) return error
  if (databaseUrl !== undefined && isDatabaseAway(error))
    return new PassingStartFailure(
      'DATABASE_URL: PostgreSQL went away during the start. Start again when it is back.',
      {
        cause: error,
      },
    )
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOSPC':
    case '53100':
      return new StartFailure(`The disk of DATA_DIR (${dataDir}) is full. Make room and start again.`, {cause: error})
    case 'EROFS':
      return new StartFailure(
        `DATA_DIR (${dataDir}) is on a read-only disk. Set DATA_DIR to a folder that can be written.`,
        {cause: error},
      )
    case 'EACCES':
    case 'EPERM':
      return new StartFailure(
        `DATA_DIR (${dataDir}) is not writable for this user. Change its owner, or set DATA_DIR.`,
        {cause: error},
      )
    default:
      return error
  }
}
