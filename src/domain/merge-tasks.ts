import type {Task} from '#contract/task.ts'
import {isSameData} from './same-data.ts'
import {compareTasks} from './task-order.ts'
import type {TaskStatus} from './task-status.ts'

/** How the copies of a thing that holds a task are told apart. */
export type MergeRules<Item> = {taskOf: (item: Item) => Task; statusOf: (item: Item) => TaskStatus}

const isEnd = (status: TaskStatus) => status === 'succeeded' || status === 'failed'

/**
 * Of two copies of one task: the terminal one, then the one that was touched last (security R48). An end never changes,
 * with one exception: a failure becomes a success that came strictly later, as work may be delivered after all. Copies of
 * the same end follow each other, as their addresses are signed anew.
 */
function newer<Item>(known: Item, arrived: Item, {taskOf, statusOf}: MergeRules<Item>) {
  const [from, to] = [statusOf(known), statusOf(arrived)]
  if (isEnd(from) !== isEnd(to)) return isEnd(from) ? known : arrived
  const [before, after] = [taskOf(known), taskOf(arrived)]
  if (isEnd(from) && from !== to)
    return to === 'succeeded' && (after.finished_at ?? 0) > (before.finished_at ?? Infinity) ? arrived : known
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
