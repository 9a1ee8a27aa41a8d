import type {Log} from '../log.ts'
import {createBusyMeter} from './beat.ts'

export const loadMilliseconds = 60_000
/** Of its time that a process works; above it words come late. */
const busyShare = 0.7

export type Load = {
  /** Answers and media tasks that run here. */
  answers: number
  tasks: number
  /** Open streams to clients. */
  streams: number
}

/**
 * Says how much a process has to do when the last minute was more than it can carry for long: one core is the limit of a node that
 * is met first, and nothing fails when it is. The result is called each `loadMilliseconds`.
 */
export function createLoadWatch({
  log,
  loadOf,
  busy = createBusyMeter(),
}: {
  log: Log
  loadOf: () => Load
  /** Share of its time since the last call that the process worked. */
  busy?: () => number
}): () => void {
  return () => {
    const share = busy()
    if (share > busyShare) log.warn('this node is busy', {percent: Math.round(share * 100), ...loadOf()})
  }
}
