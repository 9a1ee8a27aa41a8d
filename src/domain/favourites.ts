import {bounded, type FavouriteMarks} from './merge-favourites.ts'

export const noMarks: FavouriteMarks = {}

export const isMarked = (marks: FavouriteMarks, id: string | undefined): boolean =>
  id !== undefined && (marks[id] ?? 0) > 0

/** Task id of a mark. */
const taskOf = (id: string) => id.split('/', 1)[0] ?? id

/** Ids of tasks with a mark. */
export const markedTasks = (marks: FavouriteMarks): ReadonlySet<string> =>
  new Set(Object.entries(marks).flatMap(([id, time]) => (time > 0 ? [taskOf(id)] : [])))

export const countMarks = (marks: FavouriteMarks): number => Object.values(marks).filter((time) => time > 0).length

/** Sets or removes a mark. The press counts as later than every known one, whatever the tabs' clocks say. */
export function withMark(marks: FavouriteMarks, id: string, isOn: boolean, at: number): FavouriteMarks {
  if (isMarked(marks, id) === isOn) return marks
  const time = Math.max(at, Math.abs(marks[id] ?? 0) + 1)
  return bounded(Object.entries({...marks, [id]: isOn ? time : -time}))
}

/** Removes all marks of these deleted tasks. */
export const withoutTasks = (marks: FavouriteMarks, tasks: readonly string[]): FavouriteMarks =>
  Object.entries(marks).reduce(
    (rest, [id, time]) => (time > 0 && tasks.includes(taskOf(id)) ? withMark(rest, id, false, time + 1) : rest),
    marks,
  )
