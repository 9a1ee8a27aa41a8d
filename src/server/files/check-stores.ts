import {randomUUID} from 'node:crypto'
import {notInArray} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {StartFailure} from '../start-failure.ts'
import {settledValue} from '../store/installation-value.ts'
import {files} from '../store/schema/files.ts'
import {isStoreTrouble} from './file-store.ts'
import {wrongSetting} from './s3-failure.ts'
import {checkFolder} from './shared-folder.ts'

/** The id that marks a store as this installation's. Made once, and kept with the rows that name the files. */
export const installationId = ({database}: Pick<ServerDeps, 'database'>): Promise<string> =>
  settledValue(database, 'files_owner', randomUUID())

/**
 * Whether the configured stores belong to this installation. A bucket that does not answer does not stop the start:
 * conversations work without it.
 *
 * @throws StartFailure for a wrong setting of the operator
 */
export async function checkFileStores({
  config,
  database,
  fileStores: {current, all},
  log,
}: Pick<ServerDeps, 'config' | 'database' | 'fileStores' | 'log'>): Promise<void> {
  const storeNames = all.map(({name}) => name)
  const [elsewhere] = await database.asSystem((transaction) =>
    transaction.select({storedIn: files.storedIn}).from(files).where(notInArray(files.storedIn, storeNames)).limit(1),
  )
  if (elsewhere !== undefined)
    throw new StartFailure(
      `There are files in ${elsewhere.storedIn}, which is not configured: name it in FILES_URL, or in FILES_FORMER_URL until \`npm run admin -- files move\` has moved them.`,
    )
  if (current.sign === undefined) {
    // with the embedded database there is nobody to share with
    if (config.databaseUrl !== undefined) await checkFolder({config, database})
    return
  }
  try {
    const id = await installationId({database})
    if ((await current.ownerOf(id)) !== id)
      throw new StartFailure(`${current.name} belongs to another installation. Name another prefix in FILES_URL.`)
  } catch (error) {
    if (!isStoreTrouble(error)) throw error
    const code = wrongSetting(error)
    if (code !== undefined)
      throw new StartFailure(
        `FILES_URL: the store refuses ${current.name} (${code}). Look at bucket, region, endpoint and credentials.`,
        {cause: error},
      )
    log.warn('the store of files does not answer; files wait for it', describeError(error.options.cause))
  }
}
