import {Logger} from 'graphile-worker'
import type {Log} from '../log.ts'

/** The job queue's log in ours: its debug lines are dropped, its payloads never appear in its messages. */
export const workerLogger = (log: Log): Logger =>
  new Logger((scope) => (level, message) => {
    if (level === 'debug' || level === 'info') return
    log[level === 'warning' ? 'warn' : 'error'](`jobs: ${message}`, {task: scope.taskIdentifier, job: scope.jobId})
  })
