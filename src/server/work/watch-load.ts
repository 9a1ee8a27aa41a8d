import type {Log} from '../log.ts'
import {createBusyMeter} from './beat.ts'

export const loadMilliseconds = 60_000
/** The share of its time that a process works; above it words come late. */
const busyShare = 0.7
/** Milliseconds that shown text may wait to be stored; its process could lose it. Usually a tenth of a second. */
const mostWaitMilliseconds = 1_000

export type Load = {
  /** Answers and media tasks that run here. */
  answers: number
  tasks: number
  /** Open streams to clients. */
  streams: number
  /** The longest that text of answers waited to be stored in that time. */
  textMilliseconds: number
}

/**
 * Says how much a process has to do when the last minute was more than it can carry for long: one core is the limit of
 * a node that is met first, and nothing fails when it is. Likewise when the text of answers is stored late. The result
 * is called each `loadMilliseconds`.
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
    const load = {percent: Math.round(share * 100), ...loadOf()}
    if (share > busyShare) log.warn('this node is busy', load)
    if (load.textMilliseconds > mostWaitMilliseconds) log.warn('text of answers is stored late', load)
  }
}
