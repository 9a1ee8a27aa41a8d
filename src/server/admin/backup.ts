import {
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {basename, dirname, join, resolve} from 'node:path'
import type pg from 'pg'
import type {Config} from '../config.ts'
import {silentLog} from '../log.ts'
import {StartFailure} from '../start-failure.ts'
import {withClient} from '../store/client.ts'
import {makeDataFolder} from '../store/data-folder.ts'
import {startEmbeddedPostgres} from '../store/embedded-postgres.ts'
import {isCode} from '../error-code.ts'
import {lockFolder} from '../store/folder-lock.ts'
import {findPostgres} from '../store/postgres-binaries.ts'
import {withCluster} from './open-installation.ts'

const manifestName = 'atrium-backup.json'
/** Rebuilt by PostgreSQL at its start, or belonging to the process that runs now. */
const emptyFolders = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const skippedNames =
  /^(postmaster\.(pid|opts)|\.s\.PGSQL\..*|pgsql_tmp.*|pg_internal\.init.*|backup_label|tablespace_map)$/

/**
 * Copies the installation into `target` (which must be missing or empty), with a running or a stopped server: the
 * cluster's folder between pg_backup_start and pg_backup_stop, the write-ahead log that completes the copy, then
 * uploads and secret. A folder with its final name is complete.
 */
export async function backUp(config: Config, target: string): Promise<string> {
  const folder = resolve(target)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StartFailure(`${folder} is not empty. Name a new folder.`)
  const partial = join(dirname(folder), `.${basename(folder)}.partial-${process.pid}`)
  try {
    mkdirSync(partial, {recursive: true, mode: 0o700})
    await withCluster(config, ({administrator}) =>
      copyCluster(administrator, config.dataDir, join(partial, 'postgres')),
    )
    for (const name of ['files', 'secret']) {
      if (existsSync(join(config.dataDir, name)))
        copyTree(join(config.dataDir, name), join(partial, name), () => 'copy')
    }
    writeFileSync(join(partial, manifestName), JSON.stringify({version: 1, at: new Date().toISOString()}))
    if (existsSync(folder)) rmdirSync(folder)
    renameSync(partial, folder)
    return folder
  } catch (error) {
    rmSync(partial, {recursive: true, force: true})
    if (isCode(error, 'ENOSPC'))
      throw new StartFailure(`The disk of ${folder} is full. Make room, or name another folder.`)
    throw error
  }
}

async function copyCluster(administrator: pg.PoolConfig, dataDir: string, target: string): Promise<void> {
  const source = join(dataDir, 'postgres')
  return withClient(administrator, async (client) => {
    // The slot keeps the log from being recycled while we copy; it is gone with this connection.
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [`atrium_backup_${process.pid}`])
    await client.query(`select pg_backup_start('atrium', true)`)
    copyTree(source, target, (name, depth) =>
      skippedNames.test(name) ? 'skip' : depth === 1 && emptyFolders.has(name) ? 'empty' : 'copy',
    )
    const {rows} = await client.query<{labelfile: string}>('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(target, 'backup_label'), rows[0]?.labelfile ?? '', {mode: 0o600})
    mkdirSync(join(target, 'pg_wal', 'archive_status'), {recursive: true, mode: 0o700})
    for (const name of readdirSync(join(source, 'pg_wal'))) {
      if (/^[0-9A-F]{24}$/.test(name)) copyFileSync(join(source, 'pg_wal', name), join(target, 'pg_wal', name))
    }
  })
}

/** Files may come and go while they are copied: what is gone is not part of the backup's moment either. */
function copyTree(
  source: string,
  target: string,
  decide: (name: string, depth: number) => 'copy' | 'empty' | 'skip',
  depth = 0,
): void {
  const state = lstatSync(source, {throwIfNoEntry: false})
  if (state === undefined) return
  if (state.isFile()) {
    try {
      copyFileSync(source, target)
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
    }
  } else if (state.isDirectory()) {
    mkdirSync(target, {mode: 0o700})
    for (const name of readdirSync(source)) {
      const decision = decide(name, depth + 1)
      if (decision === 'copy') copyTree(join(source, name), join(target, name), decide, depth + 1)
      if (decision === 'empty') mkdirSync(join(target, name), {mode: 0o700})
    }
  }
}

/**
 * Puts a backup into a data folder that has no database yet, starts the database on it once, which replays its log, and
 * stops it. Refuses while a server holds the folder.
 */
export async function restore(config: Config, source: string): Promise<void> {
  const folder = resolve(source)
  if (!isBackup(folder)) throw new StartFailure(`${folder} is not a backup: it has no ${manifestName}.`)
  const {dataDir} = config
  makeDataFolder(dataDir)
  const unlock = lockFolder(dataDir)
  try {
    const entries = ['postgres', 'files', 'secret'].filter((name) => existsSync(join(dataDir, name)))
    if (entries.length > 0) {
      throw new StartFailure(
        `${dataDir} is not empty (${entries.join(', ')}). Move it away first, or set DATA_DIR to an empty folder.`,
      )
    }
    const aside = join(dataDir, `postgres.new-${process.pid}`)
    copyTree(join(folder, 'postgres'), aside, () => 'copy')
    const {account} = findPostgres()
    if (account) giveTo(aside, account)
    for (const name of ['files', 'secret']) {
      if (existsSync(join(folder, name))) copyTree(join(folder, name), join(dataDir, name), () => 'copy')
    }
    renameSync(aside, join(dataDir, 'postgres'))
    const cluster = await startEmbeddedPostgres(dataDir, silentLog)
    await cluster.stop()
  } finally {
    unlock()
  }
}

function isBackup(folder: string): boolean {
  const file = join(folder, manifestName)
  if (!existsSync(file)) return false
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest && manifest.version === 1
}

function giveTo(path: string, account: {uid: number; gid: number}): void {
  chownSync(path, account.uid, account.gid)
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), account)
}
