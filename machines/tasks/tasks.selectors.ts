import type {RequestStatus} from '#machines/provisioning/provisioning.selectors.ts'
import type {EndedTask} from '#domain/ended-task.ts'
import type {TaskDaysSnapshot} from '#machines/task-days/task-days.machine.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import {activeOf, endedOf, selectCards, type Card} from '#machines/task-list/task-list.selectors.ts'
import type {TaskPagesSnapshot} from '#machines/task-pages/task-pages.machine.ts'
import type {ToolActor} from '#machines/tool/tool.machine.ts'
import {toolId} from '#machines/tool/tool.types.ts'
import type {TasksSnapshot} from './tasks.machine.ts'
import {taskListId} from './tasks.types.ts'

/** The newest page's request status (spec §4). Cached tasks are shown whatever it is. */
export const selectPageStatus = ({value: {newest}}: TaskPagesSnapshot): RequestStatus =>
  newest === 'opening' || newest === 'waiting' ? 'request' : newest
/** The newest page has come: a task that is not listed is older, or not there. */
export const selectIsRead = (snapshot: TaskPagesSnapshot) => snapshot.matches({newest: 'success'})
/** Whether there are older pages, and how far the next one is. */
export const selectOlder = (snapshot: TaskPagesSnapshot) => {
  if (snapshot.hasTag('loadingOlder')) return 'loading'
  if (snapshot.context.olderFailure !== undefined) return 'failed'
  return snapshot.context.hasOlder ? 'some' : 'none'
}
/** How far the times that are looked through were read: there may be more of them. */
export const selectDays = (snapshot: TaskDaysSnapshot) => {
  if (snapshot.hasTag('loading')) return 'loading'
  return snapshot.matches('failed') ? 'failed' : snapshot.matches({found: 'part'}) ? 'some' : 'none'
}

// ---- all tools --------------------------------------------------------------------------------------------------

const listsOf = ({context, children}: TasksSnapshot) =>
  context.tools.flatMap((tool) => {
    // as: children are typed by id, and these ids are made at run time
    const actor = children[toolId(tool)] as ToolActor | undefined
    const list = actor?.getSnapshot().children[taskListId(tool)] as TaskListActor | undefined
    return list === undefined ? [] : [list.getSnapshot()]
  })

/** All that runs or waits for the user, over all tools, newest first. A new list with each call: compare the items. */
export const selectTray = (tasks: TasksSnapshot): Card[] =>
  listsOf(tasks)
    .flatMap((list) => activeOf(selectCards(list)))
    .sort((one, other) => other.at - one.at)

/** The tasks that ended last in the tools that are in use, by tool. Compare by value: it is made with each call. */
export const selectEnded = (tasks: TasksSnapshot): Record<string, EndedTask[]> =>
  Object.fromEntries(listsOf(tasks).map((list) => [list.context.ref.tool, endedOf(selectCards(list))]))
