import type {Submission} from '#contract/media/media-tool.ts'
import {markedTasks} from '#domain/favourites.ts'
import {isSameData} from '#domain/same-data.ts'
import type {TaskListContext, TaskPage, TaskRecord} from './tasks.types.ts'
import {mergeRecords, namedRecord} from './tasks.rules.ts'

export const without = (keys: readonly string[], gone: string) => keys.filter((key) => key !== gone)
export const withKey = (keys: readonly string[], key: string) => (keys.includes(key) ? [...keys] : [...keys, key])

/** A request of the list that has no task yet. */
export const pendingOf = ({requests, keys}: Pick<TaskListContext, 'requests' | 'keys'>, key: string) =>
  Object.values(keys).includes(key) ? undefined : requests.find((request) => request.key === key)

/** Tasks that no request of this list has become: a lost one may claim them. */
export const unclaimed = ({keys}: Pick<TaskListContext, 'keys'>, records: readonly TaskRecord[]) =>
  records.filter(({task}) => keys[task.id] === undefined)

/** What follows from tasks that arrived; undefined when they say nothing new. */
export function arrivalOf(context: TaskListContext, records: readonly TaskRecord[]) {
  const arrived = records.filter(({task}) => !context.removed.includes(task.id))
  const items = mergeRecords(context.items, arrived)
  const isBack = arrived.some(({task}) => context.gone.includes(task.id))
  // what vanished and came back by itself runs again
  const gone = isBack ? context.gone.filter((id) => arrived.every(({task}) => task.id !== id)) : context.gone
  return {arrived, changes: items === context.items && !isBack ? undefined : {items, gone}}
}

/** What follows from a request that has its task; undefined when it is not waited for. */
export function joinOf(context: TaskListContext, {key, task}: {key: string; task: string}) {
  const request = pendingOf(context, key)
  if (request === undefined) return undefined
  const record = context.items.find((item) => item.task.id === task)
  const named = {id: task, created_at: request.at, request: request.submission.body}
  const changes = {
    items: record === undefined ? mergeRecords(context.items, [namedRecord(named)]) : context.items,
    keys: {...context.keys, [task]: key},
    total: record === undefined ? context.total + 1 : context.total,
  }
  return {record, changes}
}

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
export const repeatedRequest = (
  {requests}: Pick<TaskListContext, 'requests'>,
  from: string | undefined,
  submission: Submission,
) =>
  from === undefined
    ? undefined
    : requests.find((request) => request.from === from && isSameData(request.submission, submission))

/** Marked tasks that are not listed and may be shown: those that are being deleted are not asked for. */
export function missingFavourites({favourites, items, removing, removed}: TaskListContext): string[] {
  const known = new Set([...items.map(({task}) => task.id), ...removing, ...removed])
  return [...markedTasks(favourites)].filter((id) => !known.has(id))
}
