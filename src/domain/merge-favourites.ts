/*
 * Marked results, by task id, or `task/index` for one of its songs. The value is the time of the last press in unix
 * milliseconds, negative if it removed the mark: so the marks of two tabs can be merged in any order.
 */

export type FavouriteMarks = Readonly<Record<string, number>>

/** Limits per tool: marks, and removed marks that are still sent to other tabs. */
export const mostFavourites = 300
const mostTakenOff = 100

/** The newest marks of each kind. */
export function bounded(entries: readonly (readonly [string, number])[]): FavouriteMarks {
  const newest = entries.toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
  const on = newest.filter(([, time]) => time > 0).slice(0, mostFavourites)
  const off = newest.filter(([, time]) => time < 0).slice(0, mostTakenOff)
  return Object.fromEntries([...on, ...off])
}

/** Merges two sets of marks: the later press of each wins. Returns `marks` itself if the other adds nothing. */
export function mergeMarks(marks: FavouriteMarks, other: FavouriteMarks): FavouriteMarks {
  const news = Object.entries(other).filter(([id, time]) => Math.abs(time) > Math.abs(marks[id] ?? 0))
  if (news.length === 0) return marks
  const mergedMarks = bounded(Object.entries({...marks, ...Object.fromEntries(news)}))
  const isSame = news.every(([id]) => mergedMarks[id] === marks[id])
  return isSame ? marks : mergedMarks
}
