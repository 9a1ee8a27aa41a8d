import {and, eq} from 'drizzle-orm'
import {describeError} from '../../http/boundary.ts'
import type {Log} from '../../log.ts'
import type {Timers} from '../../providers/timers.ts'
import type {Database} from '../../store/database.ts'
import {answers} from '../../store/schema/chat.ts'
import {storeBatch, type AnswerRun, type Batch} from './answer-store.ts'

/** Deltas wait at most this long for the store; with the statement's own time they are durable within 100 ms. */
export const batchMilliseconds = 80
const retryMilliseconds = 500
const mostFailures = 20

export type WriterEvents = {
  /** The run was taken away: nothing more will be stored. */
  lost: () => void
  stopRequested: () => void
  /** The store refused for ten seconds. */
  broken: (error: unknown) => void
}

/** Stores the deltas of one run in batches, in order, each exactly once, also when the database fails in between. */
export type AnswerWriter = {
  add: (text: string) => void
  /** Waits for the batch that is being stored. Returns the remaining deltas, for the transaction that ends the answer. */
  close: () => Promise<Batch>
}

export function createAnswerWriter(
  parts: {database: Database; timers: Timers; log: Log},
  run: AnswerRun,
  events: WriterEvents,
): AnswerWriter {
  const {database, timers, log} = parts
  const pending: string[] = []
  let storedSeq = 0
  let failures = 0
  let cancelTimer: (() => void) | undefined
  let storing: Promise<void> | undefined
  let closed = false

  const arm = (milliseconds: number) => {
    if (closed || cancelTimer !== undefined || pending.length === 0) return
    cancelTimer = timers.after(milliseconds, () => {
      cancelTimer = undefined
      storing = store().finally(() => {
        storing = undefined
        arm(failures === 0 ? batchMilliseconds : retryMilliseconds)
      })
    })
  }

  const store = async (): Promise<void> => {
    try {
      if (failures > 0) await catchUp()
      if (pending.length === 0) return
      const batch = {lastSeq: storedSeq + pending.length, deltas: [...pending]}
      const result = await database.asSystem((transaction) => storeBatch(transaction, run, batch))
      failures = 0
      if (result === 'lost') return events.lost()
      forget(batch.lastSeq)
      if (result === 'stop') events.stopRequested()
    } catch (error) {
      failures += 1
      log.warn('storing a batch of an answer failed', {answer: run.id, failures, ...describeError(error)})
      if (failures >= mostFailures) events.broken(error)
    }
  }

  /** A commit whose confirmation was lost has happened all the same: the row says how far we are. */
  const catchUp = async (): Promise<void> => {
    const [row] = await database.asSystem((transaction) =>
      transaction
        .select({lastSeq: answers.lastSeq})
        .from(answers)
        .where(and(eq(answers.id, run.id), eq(answers.fence, run.fence))),
    )
    if (row !== undefined) forget(row.lastSeq)
  }

  const forget = (lastSeq: number) => {
    pending.splice(0, lastSeq - storedSeq)
    storedSeq = lastSeq
  }

  return {
    add: (text) => {
      pending.push(text)
      if (storing === undefined) arm(batchMilliseconds)
    },
    close: async () => {
      closed = true
      cancelTimer?.()
      await storing
      if (failures > 0) await catchUp()
      return {lastSeq: storedSeq + pending.length, deltas: pending}
    },
  }
}
