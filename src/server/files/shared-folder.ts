import {randomUUID} from 'node:crypto'
import {link, mkdir, readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {ServerDeps} from '../deps.ts'
import {StartFailure} from '../start-failure.ts'
import {settledValue} from '../store/installation-value.ts'
import {installation} from '../store/schema/installation.ts'
import {isCode} from '../error-code.ts'
import {localFolder} from './local-store.ts'

/** In `installation`: the folder that has the files of all nodes. */
const rowName = 'files_folder'

type Deps = Pick<ServerDeps, 'config' | 'database'>

/**
 * Whether the folder of files is the one that the other nodes use; the first one settles it.
 *
 * @throws StartFailure when it is another: each would have half of the files
 */
export async function checkFolder({config, database}: Deps): Promise<void> {
  const id = await idOf(localFolder(config))
  if ((await settledValue(database, rowName, id)) === id) return
  throw new StartFailure(
    `${localFolder(config)} is not the folder of files that the other nodes on this database use: share theirs, or set FILES_URL on all. If the files were moved here, run: npm run admin -- files adopt`,
  )
}

/** Makes the folder of this machine that of the installation. */
export async function adoptFolder({config, database}: Deps): Promise<void> {
  const value = await idOf(localFolder(config))
  await database.asSystem((transaction) =>
    transaction
      .insert(installation)
      .values({name: rowName, value})
      .onConflictDoUpdate({target: installation.name, set: {value}}),
  )
}

/** Made once; written aside and linked, so that two first starts agree on it. It is copied along with the files. */
async function idOf(folder: string): Promise<string> {
  const path = join(folder, '.folder')
  const aside = `${path}.${randomUUID()}`
  await mkdir(folder, {recursive: true, mode: 0o700})
  try {
    await writeFile(aside, randomUUID(), {mode: 0o600})
    await link(aside, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(aside, {force: true})
  }
  return (await readFile(path, 'utf8')).trim()
}
