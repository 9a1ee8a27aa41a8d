import {existsSync, mkdirSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {StartFailure} from '../start-failure.ts'
import {isCode} from '../error-code.ts'
import {explainPostgres} from './initialize-cluster.ts'

/** Makes the data folder when there is none; ours alone. Throws `StartFailure` with a sentence. */
export function makeDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir)
  } catch (cause) {
    throw new StartFailure(`DATA_DIR ${dataDir} cannot be made: ${explainFolder(cause)}`, {cause})
  }
}

/** `explainPostgres` reads ENOENT as a missing program; here it is a location that takes no folders, such as /proc. */
function explainFolder(cause: unknown): string {
  if (isCode(cause, 'EEXIST') || isCode(cause, 'ENOTDIR'))
    return 'a file stands in its way. Set DATA_DIR to a folder, or to a place where one can be made.'
  if (isCode(cause, 'ENOENT') || isCode(cause, 'EPERM'))
    return 'this place takes no folders. Set DATA_DIR to a folder that can be written.'
  return explainPostgres(cause instanceof Error ? cause.message : String(cause))
}

/** `mkdir` with `recursive` never returns where a folder cannot be made below an existing one, such as in /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, {throwIfNoEntry: false})?.isDirectory()) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, {mode: 0o700})
  } catch (error) {
    // another start has created it since
    if (!statSync(folder, {throwIfNoEntry: false})?.isDirectory()) throw error
  }
}
