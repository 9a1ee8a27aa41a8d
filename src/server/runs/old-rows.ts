import {describeError} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Database, Transaction} from '../store/database.ts'
import {takeTurnOfAll} from '../work/cluster-turn.ts'

/** Deletes some of what is older than its use, few enough for one statement. Returns whether there may be more. */
export type DeleteSome = (transaction: Transaction) => Promise<boolean>

/** A look each hour finds the turn of the hour before over, even if its timer is early. */
const turnMilliseconds = 3_300_000

export type OldRowsParts = {
  database: Database
  now: () => Date
  log: Log
  /** The name of the row that says which process has its turn. */
  name: string
  /** Each is repeated until nothing is left or it fails, whatever the others do. */
  deletions: readonly DeleteSome[]
}

/**
 * Deletes what is older than its use, in as many short transactions as it takes: however much there is, no statement
 * meets its time limit, and what was deleted stays so when the process ends. One process an hour of all. `clean` throws
 * the first failure at its end.
 */
export function createOldRows({database, now, log, name, deletions}: OldRowsParts) {
  let isStopped = false
  return {
    clean: async () => {
      if (!(await takeTurnOfAll(database, {name, now: now(), milliseconds: turnMilliseconds}))) return
      const failures: Error[] = []
      for (const deleteSome of deletions)
        try {
          while (!isStopped && (await database.asSystem(deleteSome)));
        } catch (error) {
          failures.push(error instanceof Error ? error : new Error(String(error)))
        }
      const [first, ...others] = failures
      for (const error of others) log.warn('some old rows could not be deleted', describeError(error))
      if (first !== undefined) throw first
    },
    stop: () => {
      isStopped = true
    },
  }
}
