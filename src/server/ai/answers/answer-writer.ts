import {and, eq} from 'drizzle-orm'
import {describeError, mayBeOfData} from '../../http/boundary.ts'
import type {Log} from '../../log.ts'
import type {Timers} from '../../providers/timers.ts'
import type {Database} from '../../store/database.ts'
import {answers} from '../../store/schema/chat.ts'
import {storeBatches, type BatchOutcome} from './answer-batches.ts'
import type {AnswerRun, Batch} from './answer-store.ts'

/** From the start of one batch to that of the next, or as long as the statement of the first one takes. */
export const batchMilliseconds = 80
const retryMilliseconds = 500
const mostFailures = 20
/** Of text in one statement, of one answer and of all: what waited for a database that was away comes in parts. */
const charactersOfAnswer = 256 * 1024
const charactersAtOnce = 2 * 1024 * 1024

export type WriterEvents = {
  /** The run was taken away: nothing more will be stored. */
  lost: () => void
  stopRequested: () => void
  /** The store refused for ten seconds. */
  broken: (error: unknown) => void
}

/** Stores the deltas of one run, in order, each exactly once, also when the database fails in between. */
export type AnswerWriter = {
  add: (text: string) => void
  /** Waits for the batch that is being stored. Returns the remaining deltas, for the transaction that ends the answer. */
  close: () => Promise<Batch>
}

type Open = {
  run: AnswerRun
  events: WriterEvents
  pending: string[]
  /** When the oldest of it came. */
  pendingSince: number
  storedSeq: number
  failures: number
  /** Failed by itself, so it is stored by itself until that works. */
  isAlone: boolean
  /** Waits before it is tried again. */
  isResting: boolean
  storing: Promise<void> | undefined
}

/** `restSince`: what is not among the deltas waits no longer than since then; a rest of a backlog counts from its first text. */
type Part = {one: Open; deltas: readonly string[]; restSince: number}

/**
 * The one writer of a process: what all of its answers have to store goes in one statement after the other, and not in a
 * transaction for each of them (docs/decisions/0081).
 */
export function createAnswerWriters(parts: {
  database: Database
  timers: Timers
  log: Log
  /** In milliseconds, of a clock that only goes on. */
  clock?: () => number
}) {
  const {database, timers, log, clock = () => performance.now()} = parts
  const open = new Set<Open>()
  let isBusy = false
  let longestWait = 0

  const isReady = (one: Open) => open.has(one) && !one.isResting && one.pending.length > 0

  const turn = () => new Promise<void>((resolve) => timers.after(batchMilliseconds, resolve))

  const arm = () => {
    if (isBusy) return
    isBusy = true
    void storeInTurns()
  }

  /** Gathers, then stores batch after batch until nothing waits. The wait for the next one runs beside the statement. */
  const storeInTurns = async (): Promise<void> => {
    await turn()
    while ([...open].some(isReady)) {
      const next = turn()
      await storeAll()
      await next
    }
    isBusy = false
  }

  const storeAll = async (): Promise<void> => {
    const waiting = [...open].filter(isReady)
    while (waiting.length > 0) {
      const together = takeTogether(waiting)
      const storing = store(together)
      for (const {one} of together) one.storing = storing
      await storing
      for (const {one} of together) one.storing = undefined
    }
  }

  /** From the front of those that wait: what goes in one statement. One may have closed since. */
  const takeTogether = (waiting: Open[]): Part[] => {
    const together: Part[] = []
    const now = clock()
    for (let room = charactersAtOnce; room > 0;) {
      const one = waiting[0]
      if (one === undefined || (one.isAlone && together.length > 0)) break
      waiting.shift()
      if (!isReady(one)) continue
      const deltas = firstOf(one.pending)
      together.push({one, deltas, restSince: deltas.length < one.pending.length ? one.pendingSince : now})
      if (one.isAlone) break
      room -= deltas.reduce((sum, {length}) => sum + length, 0)
    }
    return together
  }

  /** Never throws. What may be wrong with one of them is found by halves, so that it keeps no other one from being stored. */
  const store = async (together: readonly Part[]): Promise<void> => {
    if (together.length === 0) return
    const batches = together.map(({one, deltas}) => ({run: one.run, storedSeq: one.storedSeq, deltas}))
    let outcomes: Map<string, BatchOutcome>
    try {
      outcomes = await database.asSystemOnce((statement) => storeBatches(statement, batches))
    } catch (error) {
      if (together.length === 1 || !mayBeOfData(error)) return fail(together, error)
      const half = Math.ceil(together.length / 2)
      await store(together.slice(0, half))
      return store(together.slice(half))
    }
    for (const part of together) settle(part, outcomes.get(part.one.run.id))
  }

  const settle = ({one, restSince}: Part, outcome: BatchOutcome | undefined) => {
    one.failures = 0
    one.isAlone = false
    if (outcome === undefined) {
      open.delete(one)
      return one.events.lost()
    }
    longestWait = Math.max(longestWait, clock() - one.pendingSince)
    one.pendingSince = restSince
    forget(one, outcome.lastSeq)
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
      arm()
    })
  }

  /** A commit whose confirmation was lost has happened all the same: the row says how far we are. */
  const catchUp = async (one: Open): Promise<void> => {
    const {id, fence} = one.run
    const [row] = await database.asSystem((transaction) =>
      transaction
        .select({lastSeq: answers.lastSeq})
        .from(answers)
        .where(and(eq(answers.id, id), eq(answers.fence, fence))),
    )
    if (row !== undefined) forget(one, row.lastSeq)
  }

  return {
    /** The longest that text, or a backlog of it, waited to be stored since the last call, in milliseconds. */
    longestWait: (): number => {
      const now = clock()
      for (const {pending, pendingSince} of open)
        if (pending.length > 0) longestWait = Math.max(longestWait, now - pendingSince)
      const longest = longestWait
      longestWait = 0
      return longest
    },
    open: (run: AnswerRun, events: WriterEvents): AnswerWriter => {
      const one: Open = {
        run,
        events,
        pending: [],
        pendingSince: 0,
        storedSeq: 0,
        failures: 0,
        isAlone: false,
        isResting: false,
        storing: undefined,
      }
      open.add(one)
      return {
        add: (text) => {
          if (one.pending.length === 0) one.pendingSince = clock()
          one.pending.push(text)
          if (!one.isResting) arm()
        },
        close: async () => {
          open.delete(one)
          await one.storing
          if (one.failures > 0) await catchUp(one)
          return {lastSeq: one.storedSeq + one.pending.length, deltas: one.pending}
        },
      }
    },
  }
}

/** At least one delta. */
function firstOf(pending: readonly string[]): string[] {
  let room = charactersOfAnswer
  const end = pending.findIndex((text) => (room -= text.length) < 0)
  return pending.slice(0, end < 0 ? undefined : Math.max(1, end))
}

/** A row that is behind what we know was stored lost it (a standby took over); what follows keeps its numbers. */
const forget = (one: Open, lastSeq: number) => {
  if (lastSeq <= one.storedSeq) return
  one.pending.splice(0, lastSeq - one.storedSeq)
  one.storedSeq = lastSeq
}
