import {z} from '#contract/schema.ts'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {enqueueJob, type JobTask} from '../jobs/jobs.ts'
import type {Transaction} from '../store/database.ts'
import type {FileStores} from './file-stores.ts'

/** Name of the job that takes away bytes whose store did not answer. */
export const removeBytesJob = 'file-bytes-remove'
/** With the growing pauses of the queue about three days; the sweep finds what is left after them. */
const attempts = 25
/** Names in one job. */
const mostNames = 500

const payloadSchema = z.object({names: z.array(z.string())})

/** From every store, since a file may just be on its way from one to another. */
async function removeNow({all}: FileStores, names: readonly string[]): Promise<void> {
  for (const name of names) for (const store of all) await store.remove(name)
}

/** Has a job take away the bytes: it exists exactly when the transaction commits. */
export async function removeBytesLater(transaction: Transaction, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += mostNames)
    await enqueueJob(transaction, removeBytesJob, {names: names.slice(at, at + mostNames)}, {attempts})
}

/** Takes away bytes that no row names any more. A store that does not answer is asked again by a job. */
export async function removeBytes(
  deps: Pick<ServerDeps, 'database' | 'fileStores' | 'log'>,
  names: readonly string[],
): Promise<void> {
  try {
    await removeNow(deps.fileStores, names)
  } catch (error) {
    deps.log.warn('the bytes of files could not be taken away yet', describeError(error))
    await deps.database.asSystem((transaction) => removeBytesLater(transaction, names))
  }
}

export const createRemoveBytesTask =
  ({fileStores}: Pick<ServerDeps, 'fileStores'>): JobTask =>
  async (payload) => {
    const {names} = z.parse(payloadSchema, payload)
    await removeNow(fileStores, names)
  }
