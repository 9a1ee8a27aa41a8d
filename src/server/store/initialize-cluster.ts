import {spawn} from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import {join} from 'node:path'
import {StartFailure} from '../start-failure.ts'
import type {PostgresPrograms} from './postgres-binaries.ts'

/** Removes the files that initdb left when it was killed: never a cluster, since the rename is the last step. */
export function removeHalfMade(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('postgres.new-')) rmSync(join(dataDir, name), {recursive: true, force: true})
  }
}

export async function initialize(dataDir: string, cluster: string, programs: PostgresPrograms): Promise<void> {
  const folder = mkdtempSync(join(realpathSync(dataDir), 'postgres.new-'))
  own(folder, programs)
  const options = [
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  const child = spawn(join(programs.folder, 'bin', 'initdb'), ['-D', workingFolder(folder), ...options], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...programs.account,
  })
  let output = ''
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()))
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => (output += `\n${error.message}`))
    child.once('close', resolve)
  })
  if (code !== 0) {
    rmSync(folder, {recursive: true, force: true})
    throw new StartFailure(`The database cannot be made in ${dataDir}: ${explainPostgres(output)}`)
  }
  renameSync(folder, cluster)
}

/** Says what the operator can do about the usual reasons; else PostgreSQL's own last line. */
export function explainPostgres(output: string): string {
  if (/no space left/i.test(output)) return 'the disk is full. Make room and start again.'
  if (/read-only file system/i.test(output))
    return 'the disk is read-only. Set DATA_DIR to a folder that can be written.'
  if (/could not look up effective user ID|does not exist in the user/i.test(output)) {
    return 'PostgreSQL needs an entry in /etc/passwd for this user. Add one, start as root, or set DATABASE_URL.'
  }
  if (/permission denied/i.test(output))
    return `permission denied (${lastLine(output)}). Set DATA_DIR to a folder of your own.`
  if (/cannot open shared object|ENOENT|Exec format/i.test(output)) {
    return `its programs do not run here (${lastLine(output)}). Run npm install again, or set DATABASE_URL.`
  }
  return lastLine(output)
}

const lastLine = (output: string): string => output.trim().split('\n').at(-1)?.trim() ?? ''

export function checkVersion(cluster: string, programs: PostgresPrograms): void {
  const clusterMajor = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const major = programs.version.split('.')[0]
  if (clusterMajor !== major) {
    throw new StartFailure(
      `The data folder was made by PostgreSQL ${clusterMajor}, this Atrium brings ${major}. Start the old Atrium, back up, and restore here.`,
    )
  }
}

export function own(folder: string, {account}: PostgresPrograms): void {
  chmodSync(folder, 0o700)
  if (account) chownSync(folder, account.uid, account.gid)
}

/** The working folder is set before the user changes, so that PostgreSQL need not walk through a 0700 home. */
export const workingFolder = (folder: string): string => (existsSync('/proc/self/cwd') ? '/proc/self/cwd' : folder)

export const environment = () => ({PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC'})
