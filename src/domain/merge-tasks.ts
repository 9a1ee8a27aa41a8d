import type {Task} from '#contract/task.ts'
import {isSameData} from './same-data.ts'
import {compareTasks} from './task-order.ts'

/** A task that has its result or its error does not run any more. */
export const isTerminal = ({response, finished_at}: Task) =>
  finished_at != null || (response != null && (response.success != null || response.error != null))

/** How the copies of a thing that holds a task are told apart. */
export type MergeRules<Item> = {taskOf: (item: Item) => Task; isTerminal: (item: Item) => boolean}

/** Of two copies of one task: the terminal one, then the one that was touched last (security R48). */
function newer<Item>(known: Item, arrived: Item, {taskOf, isTerminal: isOver}: MergeRules<Item>) {
  if (isOver(known) !== isOver(arrived)) return isOver(known) ? known : arrived
  const [before, after] = [taskOf(known), taskOf(arrived)]
  return (before.finished_at ?? before.started_at ?? 0) > (after.finished_at ?? after.started_at ?? 0) ? known : arrived
}

/**
 * Merges pages into a list: one item per id, ascending by `created_at`, equal times by id (spec §3).
 * What says nothing new changes no reference: neither that of an item nor that of the list.
 */
export function mergeItems<Item>(known: Item[], arrived: readonly Item[], rules: MergeRules<Item>): Item[] {
  if (arrived.length === 0) return known
  const {taskOf} = rules
  const places = new Map(known.map((item, index) => [taskOf(item).id, index]))
  const merged = [...known]
  let isChanged = false
  let isMoved = false
  for (const item of arrived) {
    const {id} = taskOf(item)
    const place = places.get(id)
    const other = place === undefined ? undefined : merged[place]
    if (place === undefined || other === undefined) {
      places.set(id, merged.push(item) - 1)
      isChanged = isMoved = true
      continue
    }
    const kept = newer(other, item, rules)
    if (kept === other || isSameData(kept, other)) continue
    isMoved ||= taskOf(kept).created_at !== taskOf(other).created_at
    merged[place] = kept
    isChanged = true
  }
  if (!isChanged) return known
  return isMoved ? merged.sort((a, b) => compareTasks(taskOf(a), taskOf(b))) : merged
}

/** {@link mergeItems} for tasks as they came over the wire. */
export const mergeTasks = (known: readonly Task[], arrived: readonly Task[]): Task[] =>
  mergeItems([...known].sort(compareTasks), arrived, {taskOf: (task) => task, isTerminal})
