/*
 * Marked results, by task id, or `task/place` for one of its songs. The value is the time of the last press in unix
 * milliseconds, negative if it removed the mark: so the marks of two tabs can be merged in any order.
 */

export type FavouriteMarks = Readonly<Record<string, number>>

/** Limits per tool: marks, and removed marks that are still sent to other tabs. */
export const mostFavourites = 300
const mostTakenOff = 100

export const noMarks: FavouriteMarks = {}

export const isMarked = (marks: FavouriteMarks, id: string | undefined): boolean =>
  id !== undefined && (marks[id] ?? 0) > 0

/** Task id of a mark. */
const taskOf = (id: string) => id.split('/', 1)[0] ?? id

/** Ids of tasks with a mark. */
export const markedTasks = (marks: FavouriteMarks): ReadonlySet<string> =>
  new Set(Object.entries(marks).flatMap(([id, time]) => (time > 0 ? [taskOf(id)] : [])))

export const countMarks = (marks: FavouriteMarks): number => Object.values(marks).filter((time) => time > 0).length

/** The newest marks of each kind. */
function bounded(entries: readonly (readonly [string, number])[]): FavouriteMarks {
  const newest = entries.toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
  const on = newest.filter(([, time]) => time > 0).slice(0, mostFavourites)
  const off = newest.filter(([, time]) => time < 0).slice(0, mostTakenOff)
  return Object.fromEntries([...on, ...off])
}

/** Merges two sets of marks: the later press of each wins. Returns `marks` itself if the other adds nothing. */
export function mergeMarks(marks: FavouriteMarks, other: FavouriteMarks): FavouriteMarks {
  const news = Object.entries(other).filter(([id, time]) => Math.abs(time) > Math.abs(marks[id] ?? 0))
  if (news.length === 0) return marks
  const merged = bounded(Object.entries({...marks, ...Object.fromEntries(news)}))
  const isSame = news.every(([id]) => merged[id] === marks[id])
  return isSame ? marks : merged
}

/** Sets or removes a mark. The press counts as later than every known one, whatever the tabs' clocks say. */
export function withMark(marks: FavouriteMarks, id: string, isOn: boolean, at: number): FavouriteMarks {
  if (isMarked(marks, id) === isOn) return marks
  const time = Math.max(at, Math.abs(marks[id] ?? 0) + 1)
  return bounded(Object.entries({...marks, [id]: isOn ? time : -time}))
}

/** Removes all marks of these deleted tasks. */
export const withoutTasks = (marks: FavouriteMarks, tasks: readonly string[]): FavouriteMarks =>
  Object.entries(marks).reduce(
    (kept, [id, time]) => (time > 0 && tasks.includes(taskOf(id)) ? withMark(kept, id, false, time + 1) : kept),
    marks,
  )
