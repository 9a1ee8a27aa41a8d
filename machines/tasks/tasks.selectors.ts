import {isBeyondRepair} from '#machines/lib/supervision.ts'
import type {RequestStatus} from '#machines/provisioning/provisioning.selectors.ts'
import type {EndedTask} from '#domain/ended-task.ts'
import {selectKeys, selectPending} from '#machines/task-requests/task-requests.selectors.ts'
import type {TaskDaysSnapshot} from '#machines/task-days/task-days.machine.ts'
import type {TaskListActor, TaskListSnapshot} from '#machines/task-list/task-list.machine.ts'
import type {TaskPagesSnapshot} from '#machines/task-pages/task-pages.machine.ts'
import type {TasksSnapshot} from './tasks.machine.ts'
import {
  taskListId,
  type PendingTask,
  type TaskListContext,
  type TaskRecord,
  type ToolPart,
  type TrayEntry,
} from './tasks.types.ts'
import {endedOf, isOver, trayOf} from './tasks.rules.ts'

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

type Around = {keys: Readonly<Record<string, string>>; gone: readonly string[]; isUnheard: boolean}

const taskCard = (record: TaskRecord, {keys, gone, isUnheard}: Around): TaskCard => {
  const {id, created_at: at} = record.task
  const next = {
    kind: 'task' as const,
    key: keys[id] ?? id,
    at,
    record,
    isLost: isUnheard && !isOver(record),
    isGone: gone.includes(id),
  }
  const last = known.get(record)
  const isSame =
    last?.kind === 'task' && last.key === next.key && last.isLost === next.isLost && last.isGone === next.isGone
  if (isSame) return last
  known.set(record, next)
  return next
}

/** Running tasks cannot be asked for: contact is lost, or the tool cannot be set up. */
const selectIsUnheard = (snapshot: TaskListSnapshot) => snapshot.hasTag('lost') || snapshot.hasTag('missing')

const isSameList = <Item>(a: readonly Item[], b: readonly Item[]) =>
  a.length === b.length && a.every((item, index) => item === b[index])

const cardsOf = (snapshot: TaskListSnapshot): TaskCard[] => {
  const {context} = snapshot
  const shown = context.items.filter(({task}) => !context.removing.includes(task.id))
  const around = {keys: selectKeys(snapshot), gone: context.gone, isUnheard: selectIsUnheard(snapshot)}
  const cards = shown.map((record) => taskCard(record, around))
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

export const selectTotal = ({context}: TaskListSnapshot) => context.total
export const selectHasItems = ({context}: TaskListSnapshot) => context.items.length > 0
/** There is no token: a step of set-up, not a fault. */
export const selectNeedsSetup = (snapshot: TaskListSnapshot) => snapshot.hasTag('missing')
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
  return snapshot.matches('failed') ? 'failed' : snapshot.context.hasMore ? 'some' : 'none'
}

// ---- all tools --------------------------------------------------------------------------------------------------

const listsOf = ({context, children}: TasksSnapshot) =>
  context.tools.flatMap(({ref}) => {
    // as: children are typed by id, and these ids are made at run time by the action that spawns lists
    const list = children[taskListId(ref.tool)] as TaskListActor | undefined
    return list === undefined ? [] : [list.getSnapshot()]
  })

/** All that runs or waits for the user, over all tools, newest first. Compare by value: it is made with each call. */
export const selectTray = (tasks: TasksSnapshot): TrayEntry[] =>
  listsOf(tasks)
    .flatMap((list) =>
      trayOf(list.context, {pending: selectPending(list), keys: selectKeys(list), isLost: selectIsUnheard(list)}),
    )
    .sort((a, b) => b.at - a.at)

/** What ended last in the tools that are in use, by tool. Compare by value: it is made with each call. */
export const selectEnded = (tasks: TasksSnapshot): Record<string, EndedTask[]> =>
  Object.fromEntries(listsOf(tasks).map(({context}) => [context.ref.tool, endedOf(context)]))

/** A part of a tool broke too often and waits for `part.revive`. */
export const selectIsDown = ({context}: TasksSnapshot, part: ToolPart) => isBeyondRepair(context.crashes, part)
