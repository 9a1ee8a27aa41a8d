import {describeError} from '../http/boundary.ts'
import type {Log} from '../log.ts'
import type {Timers} from '../providers/timers.ts'
import type {Database, Transaction} from '../store/database.ts'
import {waitAtMost} from '../work/races.ts'
import type {EndReason} from './failed-end.ts'
import {claimRun, findStartable, handOver, type RunKind, type RunRow} from './run-store.ts'

export type RunnerParts<Row extends RunRow, Input> = {
  kind: RunKind<Row>
  database: Database
  log: Log
  now: () => Date
  timers: Timers
  /** Names this process among the workers; its heartbeat says that its runs are alive. */
  workerId: () => string
  /** Whether this process may begin work; one that others take for dead may not. */
  holdsLease: () => boolean
  /** Runs of one user at once; more wait in the queue (security R33). */
  perUser: number
  /** Runs at once in this process; others wait, or start in another one. */
  atOnce: number
  /** Reads the input of a run, in the transaction of its claim. */
  prepare: (transaction: Transaction, row: Row) => Promise<Input>
  /** Whether another process can go on with a run from where it stands: then a drain does not wait for it. */
  canHandOver: (row: Row) => boolean
  /** Does the work of a claimed row and stores its end. `controller` aborts with an `EndReason`. */
  perform: (row: Row, input: Input, controller: AbortController) => Promise<void>
}

/** Works on rows of one kind in this process, with or without a listener (security R40, R41). */
export type Runner<Row extends RunRow, Input> = {
  isHere: (id: string) => boolean
  /** Runs that are under way here. */
  size: () => number
  /** Marks a row that this process is accepting as its own, so that no sweep takes it. Undo with the result. */
  reserve: (id: string) => () => void
  /** Starts a row that was claimed for this worker. Returns at once. */
  start: (row: Row, input: Input) => void
  /** Claims a waiting row, if it may run now, and starts it. Returns whether it did, before the run ends. */
  claim: (id: string) => Promise<boolean>
  /** Starts waiting rows, oldest first. */
  startWaiting: () => Promise<void>
  /** Aborts a run and resolves when its end is stored. `false`: it does not run here. */
  stop: (id: string, reason: EndReason) => Promise<boolean>
  /** Claims nothing more, hands work over, lets the rest end for this long, then aborts it and waits for its end. */
  drain: (milliseconds: number) => Promise<void>
}

type Running<Row> = {
  row: Row
  controller: AbortController
  /** The end of the run is stored. */
  ended: Promise<void>
  /** The next run of the queue has been started as well. */
  done: Promise<void>
}

export function createRunner<Row extends RunRow, Input>(parts: RunnerParts<Row, Input>): Runner<Row, Input> {
  const {kind, database, log, now, workerId, perUser} = parts
  const running = new Map<string, Running<Row>>()
  const claiming = new Map<string, Promise<boolean>>()
  const reservedIds = new Set<string>()
  let isDraining = false

  const start = (row: Row, input: Input): void => {
    const controller = new AbortController()
    const runEnd = parts
      .perform(row, input, controller)
      .catch((error: unknown) => log.error('a run could not be ended', {[kind.name]: row.id, ...describeError(error)}))
      .finally(() => running.delete(row.id))
    const lastStep = runEnd
      .then(startWaiting)
      .catch((error: unknown) =>
        log.error(`the next ${kind.name} of the queue could not be started`, describeError(error)),
      )
    running.set(row.id, {row, controller, ended: runEnd, done: lastStep})
  }

  const isFull = () => running.size + claiming.size >= parts.atOnce
  const mayBegin = () => !isDraining && !isFull() && parts.holdsLease()

  const claim = async (id: string): Promise<boolean> => {
    if (running.has(id) || claiming.has(id) || !mayBegin()) return false
    const claimOfId = claimAndStart(id).finally(() => claiming.delete(id))
    claiming.set(id, claimOfId)
    return claimOfId
  }

  const claimAndStart = async (id: string): Promise<boolean> => {
    const claimedRow = await database.asSystem(async (transaction) => {
      const row = await claimRun(transaction, kind, {id, workerId: workerId(), perUser, now: now()})
      return row && {row, input: await parts.prepare(transaction, row)}
    })
    if (claimedRow === undefined) return false
    if (isDraining) {
      // Claimed at the moment of the stop: nothing has begun, and the next process takes it.
      await database.asSystem((transaction) => handOver(transaction, kind, claimedRow.row))
      return false
    }
    start(claimedRow.row, claimedRow.input)
    return true
  }

  /** One row of each user in a round, so that the long queue of one user does not hold up others. */
  const startWaiting = async (): Promise<void> => {
    for (let isMoving = true; isMoving && mayBegin();) {
      const ids = await database.asSystem((transaction) => findStartable(transaction, kind, perUser))
      isMoving = false
      for (const id of ids) if (await claim(id)) isMoving = true
    }
  }

  return {
    isHere: (id) => running.has(id) || claiming.has(id) || reservedIds.has(id),
    size: () => running.size,
    reserve: (id) => {
      reservedIds.add(id)
      return () => void reservedIds.delete(id)
    },
    start,
    claim,
    startWaiting,
    stop: async (id, reason) => {
      const run = running.get(id)
      if (run === undefined) return false
      run.controller.abort(reason)
      await run.ended
      return true
    },
    drain: async (milliseconds) => {
      isDraining = true
      for (const {row, controller} of running.values())
        if (parts.canHandOver(row)) controller.abort('drain' satisfies EndReason)
      const all = () => Promise.allSettled([...claiming.values(), ...[...running.values()].map(({done}) => done)])
      await waitAtMost(parts.timers, milliseconds, all())
      for (const {controller} of running.values()) controller.abort('drain' satisfies EndReason)
      await all()
    },
  }
}
