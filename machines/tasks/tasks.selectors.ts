import {isBeyondRepair} from '#machines/lib/supervision.ts'
import type {RequestStatus} from '#machines/provisioning/provisioning.selectors.ts'
import type {EndedTask} from '#domain/ended-task.ts'
import {selectPending} from './request.selectors.ts'
import type {TaskListActor, TaskListSnapshot} from './task-list.machine.ts'
import type {TasksSnapshot} from './tasks.machine.ts'
import {
  taskListId,
  type PendingTask,
  type TaskListContext,
  type TaskRecord,
  type ToolPart,
  type TrayEntry,
} from './tasks.types.ts'
import {endedOf, isOver, isUnheard, trayOf} from './tasks.rules.ts'

/**
 * One card. `key` stays the same while a request becomes a task. `isLost`: it runs and cannot be asked for; `isGone`: the
 * server does not know it any more. Whether it is stalled is a matter of time: `isStalled` of `#domain/poll-rules.ts`.
 */
export type TaskCard =
  | {kind: 'request'; key: string; at: number; request: PendingTask}
  | {kind: 'task'; key: string; at: number; record: TaskRecord; isLost: boolean; isGone: boolean}

/** A card is the same object while nothing of it changes: a memoised view does not render again. */
const known = new WeakMap<TaskRecord | PendingTask, TaskCard>()

const requestCard = (request: PendingTask): TaskCard => {
  const card = known.get(request) ?? {kind: 'request', key: request.key, at: request.at, request}
  known.set(request, card)
  return card
}

const taskCard = (record: TaskRecord, context: TaskListContext): TaskCard => {
  const {keys, gone} = context
  const {id, created_at: at} = record.task
  const next = {
    kind: 'task' as const,
    key: keys[id] ?? id,
    at,
    record,
    isLost: isUnheard(context) && !isOver(record),
    isGone: gone.includes(id),
  }
  const last = known.get(record)
  const isSame =
    last?.kind === 'task' && last.key === next.key && last.isLost === next.isLost && last.isGone === next.isGone
  if (isSame) return last
  known.set(record, next)
  return next
}

const isSameList = <Item>(a: readonly Item[], b: readonly Item[]) =>
  a.length === b.length && a.every((item, index) => item === b[index])

const cardsOf = (snapshot: TaskListSnapshot): TaskCard[] => {
  const {context} = snapshot
  const shown = context.items.filter(({task}) => !context.removing.includes(task.id))
  const cards = shown.map((record) => taskCard(record, context))
  return [...cards, ...selectPending(snapshot).map(requestCard)]
}

const latest = new WeakMap<TaskListContext['ref'], readonly TaskCard[]>()

/** Requests and tasks in the order of the specification, oldest first; views show them newest first. */
export function selectCards(snapshot: TaskListSnapshot): readonly TaskCard[] {
  const {ref} = snapshot.context
  const cards = cardsOf(snapshot)
  const last = latest.get(ref)
  if (last !== undefined && isSameList(last, cards)) return last
  latest.set(ref, cards)
  return cards
}

export const selectFavourites = ({context}: TaskListSnapshot) => context.favourites
export const selectTotal = ({context}: TaskListSnapshot) => context.total
/** The newest page's request status (spec §4). Cached tasks are shown whatever it is. */
export const selectPageStatus = ({value, context}: TaskListSnapshot): RequestStatus => {
  switch (value.page) {
    case 'none':
    case 'success':
    case 'error':
      return value.page
    case 'opening':
    case 'waiting':
    case 'request':
      return context.items.length === 0 ? 'request' : 'success'
  }
}
/** The newest page has come: what is not listed is older, or not there. */
export const selectIsRead = ({value}: TaskListSnapshot) => value.page === 'success'
/** There is no token: a step of set-up, not a fault. */
export const selectNeedsSetup = ({context}: TaskListSnapshot) => context.setUp === 'missing'
export const selectHasOlder = ({context}: TaskListSnapshot) => context.hasOlder
export const selectIsLoadingOlder = (snapshot: TaskListSnapshot) => snapshot.hasTag('loadingOlder')
export const selectOlderFailure = ({context}: TaskListSnapshot) => context.olderFailure
/** How far the times that are looked through were read: there may be more of them. */
export const selectDays = (snapshot: TaskListSnapshot) => {
  if (snapshot.hasTag('loadingDays')) return 'loading'
  return snapshot.value.days === 'failed' ? 'failed' : snapshot.context.days?.hasMore === true ? 'some' : 'none'
}

// ---- all tools --------------------------------------------------------------------------------------------------

const listsOf = ({context, children}: TasksSnapshot) =>
  context.tools.flatMap(({ref}) => {
    // as: children are typed by id, and these ids are made at run time by the action that spawns lists
    const list = children[taskListId(ref.tool)] as TaskListActor | undefined
    return list === undefined ? [] : [list.getSnapshot()]
  })

/** All that runs or waits for the person, over all tools, newest first. Compare by value: it is made with each call. */
export const selectTray = (tasks: TasksSnapshot): TrayEntry[] =>
  listsOf(tasks)
    .flatMap((list) => trayOf(list.context, selectPending(list)))
    .sort((a, b) => b.at - a.at)

/** What ended last in the tools that are in use, by tool. Compare by value: it is made with each call. */
export const selectEnded = (tasks: TasksSnapshot): Record<string, EndedTask[]> =>
  Object.fromEntries(listsOf(tasks).map(({context}) => [context.ref.tool, endedOf(context)]))

/** A part of a tool broke too often and waits for `part.revive`. */
export const selectIsDown = ({context}: TasksSnapshot, part: ToolPart) => isBeyondRepair(context.crashes, part)
