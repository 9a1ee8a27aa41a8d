import {and, eq} from 'drizzle-orm'
import {describeError, mayBeOfData} from '../../http/boundary.ts'
import type {Log} from '../../log.ts'
import type {Timers} from '../../providers/timers.ts'
import type {Database} from '../../store/database.ts'
import {answers} from '../../store/schema/chat.ts'
import {AnswerBacklog, takeTogether, type Part, type WriterEvents} from './answer-backlog.ts'
import {storeBatches, type BatchOutcome} from './answer-batches.ts'
import type {AnswerRun, Batch} from './answer-store.ts'

/** From the start of one batch to that of the next, or as long as the statement of the first one takes. */
export const batchMilliseconds = 80
const retryMilliseconds = 500
const mostFailures = 20

/** Stores the deltas of one run, in order, each exactly once, also when the database fails in between. */
export type AnswerWriter = {
  add: (text: string) => void
  /** Waits for the batch that is being stored. Returns the remaining deltas, for the transaction of the end. */
  close: () => Promise<Batch>
}

/**
 * The one writer of a process: what all of its answers have to store goes in one statement after the other, and not in
 * a transaction for each of them (docs/decisions/0081).
 */
export function createAnswerWriters(parts: {
  database: Database
  timers: Timers
  log: Log
  /** In milliseconds, of a clock that only goes on. */
  clock?: () => number
}) {
  const {database, timers, log, clock = () => performance.now()} = parts
  const open = new Set<AnswerBacklog>()
  const waits = createWaitMeter(open, clock)

  const readyOnes = () => [...open].filter((one) => one.isReady)

  const storeAll = async (): Promise<void> => {
    const waiting = readyOnes()
    while (waiting.length > 0) {
      const together = takeTogether(waiting, clock())
      const storing = storeByHalves(database, together, {settle, fail})
      for (const {one} of together) one.storing = storing
      await storing
      for (const {one} of together) one.storing = undefined
    }
  }

  const wake = createRounds(timers, {isNeeded: () => readyOnes().length > 0, run: storeAll})

  const settle = ({one, restSince}: Part, outcome: BatchOutcome | undefined) => {
    one.failures = 0
    one.isAlone = false
    if (outcome === undefined) {
      close(one)
      return one.events.lost()
    }
    waits.note(one)
    one.pendingSince = restSince
    one.moveTo(outcome.lastSeq)
    if (outcome.stopRequested) one.events.stopRequested()
  }

  const fail = (together: readonly Part[], error: unknown) => {
    log.warn('storing the text of answers failed', {answers: together.length, ...describeError(error)})
    for (const {one} of together) {
      one.failures += 1
      one.isAlone = mayBeOfData(error)
      one.isResting = true
      if (one.failures >= mostFailures) one.events.broken(error)
    }
    timers.after(retryMilliseconds, () => {
      for (const {one} of together) one.isResting = false
      wake()
    })
  }

  const close = (one: AnswerBacklog) => {
    one.isOpen = false
    open.delete(one)
  }

  return {
    longestWait: waits.take,
    open: (run: AnswerRun, events: WriterEvents): AnswerWriter => {
      const one = new AnswerBacklog(run, events)
      open.add(one)
      return {
        add: (text) => {
          one.add(text, clock())
          if (!one.isResting) wake()
        },
        close: async () => {
          close(one)
          await one.storing
          if (one.failures > 0) await catchUp(database, one)
          return {lastSeq: one.storedSeq + one.pending.length, deltas: one.pending}
        },
      }
    },
  }
}

/** Runs round after round while one is needed. The first gathers for a while; the next one's wait runs beside it. */
function createRounds(timers: Timers, round: {isNeeded: () => boolean; run: () => Promise<void>}) {
  let isBusy = false
  const pause = () => new Promise<void>((resolve) => timers.after(batchMilliseconds, resolve))
  const runAll = async (): Promise<void> => {
    await pause()
    while (round.isNeeded()) {
      const next = pause()
      await round.run()
      await next
    }
    isBusy = false
  }
  return () => {
    if (isBusy) return
    isBusy = true
    void runAll()
  }
}

/** How long text waits to be stored, by the clock. */
function createWaitMeter(open: ReadonlySet<AnswerBacklog>, clock: () => number) {
  let longest = 0
  const note = ({pendingSince}: AnswerBacklog) => {
    longest = Math.max(longest, clock() - pendingSince)
  }
  return {
    /** Its text has been stored now. */
    note,
    /** The longest that text, or a backlog of it, waited to be stored since the last call, in milliseconds. */
    take: (): number => {
      for (const one of open) if (one.pending.length > 0) note(one)
      const result = longest
      longest = 0
      return result
    },
  }
}

type Ends = {
  settle: (part: Part, outcome: BatchOutcome | undefined) => void
  fail: (together: readonly Part[], error: unknown) => void
}

/** Never throws. A wrong one among them is found by halves, so that it keeps no other from being stored. */
async function storeByHalves(database: Database, together: readonly Part[], ends: Ends): Promise<void> {
  if (together.length === 0) return
  const batches = together.map(({one, deltas}) => ({run: one.run, storedSeq: one.storedSeq, deltas}))
  let outcomes: Map<string, BatchOutcome>
  try {
    outcomes = await database.asSystemOnce((statement) => storeBatches(statement, batches))
  } catch (error) {
    if (together.length === 1 || !mayBeOfData(error)) return ends.fail(together, error)
    const half = Math.ceil(together.length / 2)
    await storeByHalves(database, together.slice(0, half), ends)
    return storeByHalves(database, together.slice(half), ends)
  }
  for (const part of together) ends.settle(part, outcomes.get(part.one.run.id))
}

/** A commit whose confirmation was lost has happened all the same: the row says how far we are. */
async function catchUp(database: Database, one: AnswerBacklog): Promise<void> {
  const {id, fence} = one.run
  const [row] = await database.asSystem((transaction) =>
    transaction
      .select({lastSeq: answers.lastSeq})
      .from(answers)
      .where(and(eq(answers.id, id), eq(answers.fence, fence))),
  )
  if (row !== undefined) one.moveTo(row.lastSeq)
}
