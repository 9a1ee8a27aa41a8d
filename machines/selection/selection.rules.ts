import type {SelectedTask, SelectionContext} from './selection.types.ts'

/** Deletions that travel at once. */
const mostCalls = 3

/** The tasks whose deletion begins once so many of them are done. */
export const nextTasks = (tasks: readonly SelectedTask[], done: number): SelectedTask[] =>
  tasks.slice(done === 0 ? 0 : done + mostCalls - 1, done + mostCalls)

export const toggled = (selectedIds: readonly string[], id: string): string[] =>
  selectedIds.includes(id) ? selectedIds.filter((each) => each !== id) : [...selectedIds, id]

/** With all between the anchor and this one, on the way from one to the other; alone where the anchor is not shown. */
export function chosenUpTo(
  chosenIds: readonly string[],
  anchor: string | undefined,
  id: string,
  order: readonly string[],
): string[] {
  const to = order.indexOf(id)
  const from = anchor === undefined || !chosenIds.includes(anchor) ? to : order.indexOf(anchor)
  if (to === -1) return [...chosenIds]
  const range = from === -1 ? [id] : from <= to ? order.slice(from, to + 1) : order.slice(to, from + 1).toReversed()
  return [...new Set([...chosenIds, ...range])]
}

/** Without the tasks that are gone. */
export function listedAmong({chosen, anchor}: SelectionContext, ids: readonly string[]) {
  const listedIds = new Set(ids)
  const isSame = chosen.every((id) => listedIds.has(id))
  return {
    chosen: isSame ? chosen : chosen.filter((id) => listedIds.has(id)),
    anchor: anchor !== undefined && listedIds.has(anchor) ? anchor : undefined,
  }
}
