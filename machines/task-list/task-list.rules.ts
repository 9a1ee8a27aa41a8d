import {mergeRecords, namedRecord} from '#machines/tasks/tasks.rules.ts'
import type {RequestsFact, TaskListContext} from './task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'

/** The changes of a list when tasks arrive; undefined when the tasks say nothing new. */
export function arrivalOf(context: TaskListContext, records: readonly TaskRecord[]) {
  const newRecords = records.filter(({task}) => !context.removed.includes(task.id))
  const items = mergeRecords(context.items, newRecords)
  const isBack = newRecords.some(({task}) => context.gone.includes(task.id))
  // a vanished task that appears again runs again
  const goneIds = isBack ? context.gone.filter((id) => newRecords.every(({task}) => task.id !== id)) : context.gone
  return {arrived: newRecords, changes: items === context.items && !isBack ? undefined : {items, gone: goneIds}}
}

/** The changes of a list when a request has its task. `record`: the task, where it is listed already. */
export function joinOf(
  {items, total}: Pick<TaskListContext, 'items' | 'total'>,
  {task}: Pick<Extract<RequestsFact, {type: 'request.joined'}>, 'task'>,
) {
  const record = items.find((item) => item.task.id === task.id)
  const changes = record === undefined ? {items: mergeRecords(items, [namedRecord(task)]), total: total + 1} : undefined
  return {record, changes}
}
