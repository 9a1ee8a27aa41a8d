import type {ServerDeps} from '../deps.ts'
import type {JobTask} from '../jobs/jobs.ts'
import {realTimers, type Timers} from '../providers/timers.ts'
import {createPeriodicJobs} from '../work/periodic-jobs.ts'
import {takeTurnOfAll} from '../work/cluster-turn.ts'
import {createRemoveBytesTask, removeBytesJob} from './remove-bytes.ts'
import {orphanMilliseconds, sweepOrphans} from './sweep-files.ts'

const lookMilliseconds = 3_600_000
const turn = {name: 'files_swept_at', milliseconds: 24 * 3_600_000}

export type FileService = {
  tasks: Readonly<Record<string, JobTask>>
  /** Starts the daily search for bytes without a row, which one of all processes does. */
  start: () => void
  stop: () => Promise<void>
}

export function createFileService(deps: ServerDeps, {timers = realTimers}: {timers?: Timers} = {}): FileService {
  const {database, log, now} = deps
  const jobs = createPeriodicJobs({timers, log})
  const reportedNames = new Set<string>()
  const sweep = async () => {
    if (!(await takeTurnOfAll(database, {...turn, now: now()}))) return
    const {untold, ...counts} = await sweepOrphans(deps, new Date(now().getTime() - orphanMilliseconds))
    if (counts.number + counts.unfinished > 0) log.info('bytes that no file names were taken away', counts)
    for (const store of untold.filter((name) => !reportedNames.has(name))) {
      reportedNames.add(store)
      log.warn('a store does not list uploads that never ended; give the bucket a rule that ends them', {store})
    }
  }
  return {
    tasks: {[removeBytesJob]: createRemoveBytesTask(deps)},
    start: () => jobs.every(lookMilliseconds, 'looking for bytes that nobody names', sweep),
    stop: jobs.stop,
  }
}
