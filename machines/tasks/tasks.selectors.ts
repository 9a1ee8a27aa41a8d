import {isBeyondRepair} from '#machines/lib/supervision.ts'
import type {RequestStatus} from '#machines/provisioning/provisioning.selectors.ts'
import type {TaskListSnapshot} from './task-list.machine.ts'
import type {TasksSnapshot} from './tasks.machine.ts'
import type {PendingTask, TaskListContext, TaskRecord, ToolPart, TrayEntry} from './tasks.types.ts'
import {isOver, isUnheard} from './tasks.rules.ts'

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

const cardsOf = (context: TaskListContext): TaskCard[] => {
  const shown = context.items.filter(({task}) => !context.removing.includes(task.id))
  const cards = shown.map((record) => taskCard(record, context))
  return [...cards, ...context.pending.map(requestCard)]
}

const remembered = new WeakMap<TaskListContext, readonly TaskCard[]>()
const latest = new WeakMap<TaskListContext['ref'], readonly TaskCard[]>()

/** Requests and tasks in the order of the specification, oldest first; views show them newest first. */
export function selectCards({context}: TaskListSnapshot): readonly TaskCard[] {
  const before = remembered.get(context)
  if (before !== undefined) return before
  const cards = cardsOf(context)
  const last = latest.get(context.ref)
  const kept = last !== undefined && isSameList(last, cards) ? last : cards
  remembered.set(context, kept)
  latest.set(context.ref, kept)
  return kept
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

const trays = new WeakMap<TasksSnapshot['context']['tray'], readonly TrayEntry[]>()

/** All that runs or waits for the person, over all tools, newest first. Same array until one of them changes. */
export function selectTray({context: {tray}}: TasksSnapshot): readonly TrayEntry[] {
  const before = trays.get(tray)
  if (before !== undefined) return before
  const entries = Object.values(tray)
    .flat()
    .sort((a, b) => b.at - a.at)
  trays.set(tray, entries)
  return entries
}

/** What ended last in the tools that are in use, by tool. */
export const selectEnded = ({context}: TasksSnapshot) => context.ended

/** A part of a tool broke too often and waits for `part.revive`. */
export const selectIsDown = ({context}: TasksSnapshot, part: ToolPart) => isBeyondRepair(context.crashes, part)
