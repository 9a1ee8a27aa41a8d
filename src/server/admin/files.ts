import type {Config} from '../config.ts'
import type {ServerDeps} from '../deps.ts'
import {checkFiles, removeLostRows} from '../files/check-files.ts'
import {checkFileStores} from '../files/check-stores.ts'
import {isStoreTrouble} from '../files/file-store.ts'
import {openFileStores} from '../files/file-stores.ts'
import {moveFiles} from '../files/move-files.ts'
import {adoptFolder} from '../files/shared-folder.ts'
import {orphanMilliseconds, sweepOrphans} from '../files/sweep-files.ts'
import {silentLog} from '../log.ts'
import {StartFailure} from '../start-failure.ts'
import type {Database} from '../store/database.ts'

export const fileCommands = ['move', 'check', 'sweep', 'adopt'] as const
export type FileCommand = (typeof fileCommands)[number]

/** Any number; two moves at once could each take away what the other has made. */
const moveLock = 4_163_503
const mostNamed = 20

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`
const sizeText = ({number, bytes}: {number: number; bytes: number}) => `${number}, ${megabytes(bytes)}`
const counted = (number: number) => `${number} ${number === 1 ? 'file' : 'files'}`

type FileCommandDeps = {config: Config; database: Database; now: () => Date; write: (text: string) => void}

/** The operator's commands for the stores of files, while a server runs or not. Returns the exit code. */
export async function runFileCommand(
  command: FileCommand,
  {config, database, now, write}: FileCommandDeps,
): Promise<number> {
  if (command === 'adopt') {
    await adoptFolder({config, database})
    write('The folder of this machine is that of the installation now.\n')
    return 0
  }
  const fileStores = await openFileStores(config)
  const deps: Pick<ServerDeps, 'database' | 'fileStores' | 'log' | 'now'> = {database, fileStores, log: silentLog, now}
  try {
    await checkFileStores({...deps, config})
    if (command === 'move') return await move(deps, write)
    const check = await checkFiles(deps)
    write(`${counted(check.files)}, ${megabytes(check.bytes)}\n`)
    write(`without their bytes: ${check.missing.length}\n`)
    for (const name of check.missing.slice(0, mostNamed)) write(`  ${name}\n`)
    write(
      `bytes that no file names: ${sizeText(check.orphans)}; younger than a week: ${sizeText(check.youngOrphans)}\n`,
    )
    write(`uploads that never ended: ${check.unfinished ?? 'the store does not tell'}\n`)
    if (command === 'check') return check.missing.length === 0 ? 0 : 1
    const removedRows = await removeLostRows(deps, check)
    const sweep = await sweepOrphans(deps, new Date(now().getTime() - orphanMilliseconds))
    write(
      `Taken away: ${removedRows} without bytes, ${sweep.number} without an entry (${megabytes(sweep.bytes)}), ${sweep.unfinished} unfinished\n`,
    )
    return 0
  } catch (error) {
    if (!isStoreTrouble(error)) throw error
    const {cause} = error.options
    throw new StartFailure(
      `A store of files does not answer, or has no room (${cause instanceof Error ? cause.message : 'no reason given'}). What was done stays done; run the command again to go on.`,
      {cause: error},
    )
  }
}

async function move(
  deps: Pick<ServerDeps, 'database' | 'fileStores' | 'log' | 'now'>,
  write: FileCommandDeps['write'],
): Promise<number> {
  const {database, fileStores} = deps
  const client = await database.pool.connect()
  try {
    // in a transaction, so that it is held through a pooler too
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    const {rows} = await client.query<{isFree: boolean}>('select pg_try_advisory_xact_lock($1) as "isFree"', [moveLock])
    if (rows[0]?.isFree !== true) throw new StartFailure('Another `files move` is at work.')
    write(`Moving to ${fileStores.current.name}\n`)
    const outcome = await moveFiles(deps, {
      onProgress: (now) => write(`  ${counted(now.files)}, ${megabytes(now.bytes)}\n`),
    })
    write(
      `Moved ${counted(outcome.files)}, ${megabytes(outcome.bytes)}; ${megabytes(outcome.freed)} freed where they were\n`,
    )
    if (outcome.missing.length === 0) return 0
    write(`Not moved, since their bytes are not there: ${outcome.missing.length}\n`)
    for (const name of outcome.missing.slice(0, mostNamed)) write(`  ${name}\n`)
    return 1
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}
