import type {Submission} from '#contract/media/media-tool.ts'
import {isTaskOf} from '#domain/find-task.ts'
import type {Failure} from '#domain/failure.ts'
import {markedTasks} from '#domain/favourites.ts'
import {isSameData} from '#domain/same-data.ts'
import type {Click, Intent, KeptIntent, PendingTask, TaskListContext, TaskPage, TaskRecord} from './tasks.types.ts'
import {mergeRecords, namedRecord} from './tasks.rules.ts'

export const without = (keys: readonly string[], gone: string) => keys.filter((key) => key !== gone)
export const withKey = (keys: readonly string[], key: string) => (keys.includes(key) ? [...keys] : [...keys, key])

export const pendingOf = ({pending}: Pick<TaskListContext, 'pending'>, key: string) =>
  pending.find((request) => request.key === key)

/** A request whose answer is not known, and the task it became: each task is joined once. */
function foundAmong({pending, keys}: TaskListContext, records: readonly TaskRecord[]) {
  const taken = new Set(Object.keys(keys))
  const joins: {request: PendingTask; record: TaskRecord}[] = []
  for (const request of pending) {
    if (request.state !== 'looking' && request.state !== 'unsure') continue
    const record = records.find(({task}) => !taken.has(task.id) && isTaskOf(task, request.submission.body, request))
    if (record === undefined) continue
    taken.add(record.task.id)
    joins.push({request, record})
  }
  return joins
}

/** What follows from tasks that arrived; undefined when they say nothing new. */
export function arrivalOf(context: TaskListContext, records: readonly TaskRecord[]) {
  const arrived = records.filter(({task}) => !context.removed.includes(task.id))
  const items = mergeRecords(context.items, arrived)
  const joins = foundAmong(context, arrived)
  const isBack = arrived.some(({task}) => context.gone.includes(task.id))
  if (items === context.items && joins.length === 0 && !isBack) return undefined
  const joined = new Map(joins.map(({request, record}) => [record.task.id, request.key]))
  const changes = {
    items,
    // what vanished and came back by itself runs again
    gone: isBack ? context.gone.filter((id) => arrived.every(({task}) => task.id !== id)) : context.gone,
    keys: joins.length === 0 ? context.keys : {...context.keys, ...Object.fromEntries(joined)},
    pending:
      joins.length === 0
        ? context.pending
        : context.pending.filter(({key}) => joins.every(({request}) => request.key !== key)),
  }
  return {arrived, joins, joined, changes}
}

/** What follows from a request that has its task; undefined when it is not waited for. */
export function joinOf(context: TaskListContext, {key, task}: {key: string; task: string}) {
  const request = pendingOf(context, key)
  if (request === undefined) return undefined
  const isKnown = context.items.some((item) => item.task.id === task)
  const named = {id: task, created_at: request.at, request: request.submission.body}
  return {
    items: isKnown ? context.items : mergeRecords(context.items, [namedRecord(named)]),
    keys: {...context.keys, [task]: key},
    pending: context.pending.filter((other) => other.key !== key),
    total: isKnown ? context.total : context.total + 1,
  }
}

/** A request whose actor broke waits for the person. */
export const brokenRequest = (context: TaskListContext, key: string, failure: Failure) => ({
  resting: withKey(context.resting, key),
  pending: context.pending.map((request) =>
    request.key === key ? {...request, state: 'unsure' as const, failure} : request,
  ),
})

// ---- the range of the server's list that is known without a hole -------------------------------------------------

type Reach = Pick<TaskListContext, 'range' | 'hasOlder'>

const timesOf = ({records}: TaskPage) => records.map(({task}) => task.created_at)

/**
 * What is known without a hole after the newest page came. What stood in the cache does not count: nobody knows what lies
 * between two of its tasks. A page that does not reach the range known before begins it anew.
 */
export function reachOfNewest({range, hasOlder}: Reach, page: TaskPage): Reach {
  const times = timesOf(page)
  const isWhole = page.total <= times.length
  if (times.length === 0) return {range, hasOlder: !isWhole && hasOlder}
  const [from, to] = [Math.min(...times), Math.max(...times)]
  if (range === undefined || from > range.to) return {range: {from, to}, hasOlder: !isWhole}
  return {range: {from: Math.min(from, range.from), to: Math.max(to, range.to)}, hasOlder: !isWhole && hasOlder}
}

/** And after a page before the range: `total` counts what lies before as well, so it says whether that was all. */
export function reachOfOlder({range}: Reach, page: TaskPage): Reach {
  const times = timesOf(page)
  if (range === undefined || times.length === 0) return {range, hasOlder: false}
  const from = Math.min(...times, range.from)
  return {range: {...range, from}, hasOlder: from < range.from && page.total > times.length}
}

/** The page shows nothing that was not there, and there is more behind it: one press has to show something. */
export const isBarren = (context: TaskListContext, page: TaskPage): boolean => {
  const known = new Set([...context.items.map(({task}) => task.id), ...context.removed])
  return reachOfOlder(context, page).hasOlder && page.records.every(({task}) => known.has(task.id))
}

// ---- one click, one request --------------------------------------------------------------------------------------

/** The request that the same button of the same card made a moment ago, or that is still on its way. */
export const clickOf = ({clicks}: Pick<TaskListContext, 'clicks'>, from: string | undefined, submission: Submission) =>
  clicks.find((click) => click.from === from && isSameData(click.submission, submission))

export const withoutClick = (clicks: readonly Click[], key: string) => clicks.filter((click) => click.key !== key)

/** Marked tasks that are not listed and may be shown: those that are being deleted are not asked for. */
export function missingFavourites({favourites, items, removing, removed}: TaskListContext): string[] {
  const known = new Set([...items.map(({task}) => task.id), ...removing, ...removed])
  return [...markedTasks(favourites)].filter((id) => !known.has(id))
}

// ---- requests of a page that was left ----------------------------------------------------------------------------

const isRefused = ({state}: Pick<KeptIntent, 'state'>) => state === 'rejected' || state === 'usedUp'

/**
 * What a stored request is when the page opens again. One that the server refused is as it was and waits for the person;
 * of any other nobody knows what became of it, so it is on its way.
 */
export const restoredRequest = (kept: KeptIntent): PendingTask => {
  const {state, failure, ...intent} = kept
  return isRefused(kept) && state !== undefined ? {...intent, state, failure} : {...intent, state: 'sending'}
}

/** The request itself, without what was heard of it. */
export const intentOf = ({state: _, failure: __, ...intent}: PendingTask): Intent => intent

/** Seconds in which a request that was refused for want of credits is remembered by whoever buys some. */
const buyingTime = 60 * 60

export const mayBeBuying = ({state, at, sentAt}: PendingTask, now: number) =>
  state === 'usedUp' && now - (sentAt ?? at) < buyingTime

/** Nobody knows whether the server has it. */
export const isUncertain = (request: PendingTask) => !isRefused(request)
