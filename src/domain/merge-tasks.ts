import type {Task} from '#contract/task.ts'
import {isSameData} from './same-data.ts'
import {compareTasks} from './task-order.ts'
import type {TaskStatus} from './task-status.ts'

/** How to compare the copies of an item that holds a task. */
export type MergeRules<Item> = {taskOf: (item: Item) => Task; statusOf: (item: Item) => TaskStatus}

const isEnd = (status: TaskStatus) => status === 'succeeded' || status === 'failed'

/**
 * The newer of two copies of a task: the terminal one, then the one updated last (security R48). An end never changes,
 * except that a later success replaces a failure, since work may still be delivered. Copies of the same end replace
 * each other, as their addresses are signed again.
 */
function newer<Item>(storedItem: Item, newItem: Item, {taskOf, statusOf}: MergeRules<Item>) {
  const [from, to] = [statusOf(storedItem), statusOf(newItem)]
  if (isEnd(from) !== isEnd(to)) return isEnd(from) ? storedItem : newItem
  const [before, after] = [taskOf(storedItem), taskOf(newItem)]
  if (isEnd(from) && from !== to)
    return to === 'succeeded' && (after.finished_at ?? 0) > (before.finished_at ?? Infinity) ? newItem : storedItem
  return (before.finished_at ?? before.started_at ?? 0) > (after.finished_at ?? after.started_at ?? 0)
    ? storedItem
    : newItem
}

/**
 * Merges pages into a list: one item per id, ascending by `created_at`, equal times by id (spec §3). Unchanged items
 * and an unchanged list keep their references.
 */
export function mergeItems<Item>(storedItems: Item[], newItems: readonly Item[], rules: MergeRules<Item>): Item[] {
  if (newItems.length === 0) return storedItems
  const {taskOf} = rules
  const indexes = new Map(storedItems.map((item, index) => [taskOf(item).id, index]))
  const mergedItems = [...storedItems]
  let isChanged = false
  let isMoved = false
  for (const item of newItems) {
    const {id} = taskOf(item)
    const position = indexes.get(id)
    const other = position === undefined ? undefined : mergedItems[position]
    if (position === undefined || other === undefined) {
      indexes.set(id, mergedItems.push(item) - 1)
      isChanged = isMoved = true
      continue
    }
    const winner = newer(other, item, rules)
    if (winner === other || isSameData(winner, other)) continue
    isMoved ||= taskOf(winner).created_at !== taskOf(other).created_at
    mergedItems[position] = winner
    isChanged = true
  }
  if (!isChanged) return storedItems
  return isMoved ? mergedItems.sort((a, b) => compareTasks(taskOf(a), taskOf(b))) : mergedItems
}
