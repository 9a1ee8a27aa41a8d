/*
 * Results that a person marked, by the id of their task, or `task/place` for one of its songs. Each mark has the time of
 * its last press in unix milliseconds, negative for one that was taken off: so the marks of two tabs can be merged,
 * whichever of them wrote last.
 */

export type FavouriteMarks = Readonly<Record<string, number>>

/** Bounds of one tool: marks, and those that were taken off and are still told to other tabs. */
export const mostFavourites = 300
const mostTakenOff = 100

export const noMarks: FavouriteMarks = {}

export const isMarked = (marks: FavouriteMarks, id: string | undefined): boolean =>
  id !== undefined && (marks[id] ?? 0) > 0

/** Id of the task that a mark is of. */
const taskOf = (id: string) => id.split('/', 1)[0] ?? id

/** Ids of tasks of which something is marked. */
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

/** What both know, the later press of each; `known` itself when the other adds nothing. */
export function mergeMarks(known: FavouriteMarks, other: FavouriteMarks): FavouriteMarks {
  const news = Object.entries(other).filter(([id, time]) => Math.abs(time) > Math.abs(known[id] ?? 0))
  if (news.length === 0) return known
  const merged = bounded(Object.entries({...known, ...Object.fromEntries(news)}))
  const isSame = news.every(([id]) => merged[id] === known[id])
  return isSame ? known : merged
}

/** A mark is set or taken off. The press counts as later than what is known of it, whatever the clocks of the tabs say. */
export function withMark(marks: FavouriteMarks, id: string, isOn: boolean, at: number): FavouriteMarks {
  if (isMarked(marks, id) === isOn) return marks
  const time = Math.max(at, Math.abs(marks[id] ?? 0) + 1)
  return bounded(Object.entries({...marks, [id]: isOn ? time : -time}))
}

/** All that was marked of these tasks is taken off: they are deleted. */
export const withoutTasks = (marks: FavouriteMarks, tasks: readonly string[]): FavouriteMarks =>
  Object.entries(marks).reduce(
    (kept, [id, time]) => (time > 0 && tasks.includes(taskOf(id)) ? withMark(kept, id, false, time + 1) : kept),
    marks,
  )
