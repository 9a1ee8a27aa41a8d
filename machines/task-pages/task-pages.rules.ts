import type {TaskListContext, TaskPage} from '#machines/task-list/task-list.types.ts'
import type {TaskPagesContext} from './task-pages.types.ts'

/* The range of the server's list that is known without a gap. */

type Reach = Pick<TaskPagesContext, 'range' | 'hasOlder'>

const timesOf = ({records}: TaskPage) => records.map(({task}) => task.created_at)

/**
 * The range without gaps after the newest page came. Cached tasks do not count: there may be others between two of
 * them. A page that does not reach the range known before begins a new one.
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
export const isBarren = (
  reach: Reach,
  {items, removed}: Pick<TaskListContext, 'items' | 'removed'>,
  page: TaskPage,
): boolean => {
  const listedIds = new Set([...items.map(({task}) => task.id), ...removed])
  return reachOfOlder(reach, page).hasOlder && page.records.every(({task}) => listedIds.has(task.id))
}
