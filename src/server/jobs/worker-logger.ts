import {Logger} from 'graphile-worker'
import type {Log} from '../log.ts'

/**
 * The queue advises to fetch as many jobs at once as may run; we fetch few, so that another worker finds the others.
 * And to have a connection for each; ours need one for a moment, at their beginning and end.
 */
const isAdvice = (message: string) => /job batch size|maxPoolSize/.test(message)

/** The job queue's log in ours: its debug lines are dropped, its payloads never appear in its messages. */
export const workerLogger = (log: Log): Logger =>
  new Logger((scope) => (level, message) => {
    const name: string = level
    if (name === 'debug' || name === 'info' || isAdvice(message)) return
    log[name === 'warning' ? 'warn' : 'error'](`jobs: ${message}`, {task: scope.taskIdentifier, job: scope.jobId})
  })
