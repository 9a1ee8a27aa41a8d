import {assign, enqueueActions, raise, setup} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import {isTaskOf} from '#domain/find-task.ts'
import {isSameData} from '#domain/same-data.ts'
import {promisePort, streamPort} from '#machines/lib/ports.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import type {PeerReport} from '#machines/task-poll/task-poll.types.ts'
import {submissionMachine} from './submission.machine.ts'
import {isOver, mergeRecords, namedRecord, runningOf, trayOf} from './tasks.rules.ts'
import {
  submissionId,
  taskRemovalId,
  type CachedTasks,
  type Intent,
  type PageInput,
  type PendingTask,
  type SubmissionReport,
  type TaskListContext,
  type TaskListEvent,
  type TaskListFact,
  type TaskListInput,
  type TaskPage,
  type TaskRecord,
  type ToolRef,
} from './tasks.types.ts'

type Joined = Extract<SubmissionReport, {type: 'submission.joined'}>
type Reported = Extract<SubmissionReport, {type: 'submission.reported'}>

const without = (keys: readonly string[], gone: string) => keys.filter((key) => key !== gone)
const withKey = (keys: readonly string[], key: string) => (keys.includes(key) ? [...keys] : [...keys, key])

const pendingOf = ({pending}: TaskListContext, key: string) => pending.find((request) => request.key === key)

/** A request whose answer is not known, and the task it became: each task is joined once. */
function foundAmong({pending, keys}: TaskListContext, records: readonly TaskRecord[]) {
  const taken = new Set(Object.keys(keys))
  const joins: {request: PendingTask; record: TaskRecord}[] = []
  for (const request of pending) {
    if (request.state !== 'looking' && request.state !== 'unsure') continue
    const record = records.find(({task}) => !taken.has(task.id) && isTaskOf(task, request.submission.body, request.at))
    if (record === undefined) continue
    taken.add(record.task.id)
    joins.push({request, record})
  }
  return joins
}

/** Ports, children, guards and actions of the list of one tool. */
export const taskListSetup = setup({
  types: {
    input: {} as TaskListInput,
    context: {} as TaskListContext,
    events: {} as TaskListEvent,
    tags: {} as 'cached' | 'loading' | 'loadingOlder',
  },
  actors: {
    readCached: promisePort<CachedTasks, {ref: ToolRef; userId: string}>('readCached'),
    /** Rejects with `no token` when there is none (spec §5). */
    retrieveTasks: promisePort<TaskPage, PageInput>('retrieveTasks'),
    renewCredential: promisePort<void, {ref: ToolRef}>('renewCredential'),
    /** What other tabs of this browser learnt of this tool's tasks. */
    peers: streamPort<{type: 'peer.polled'} & PeerReport, {ref: ToolRef; userId: string}>('peers'),
    taskPoll: taskPollMachine,
    submission: submissionMachine,
    removal: removalMachine,
  },
  delays: {cacheDeadline: 5_000, callDeadline: 25_000, setUpDeadline: 30_000, restartDelay: 5_000},
  guards: {
    isReady: ({context}) => context.setUp === 'ready',
    isMissing: ({context}) => context.setUp === 'missing',
    mayReadOlder: ({context}) => context.hasOlder && context.setUp === 'ready' && context.items.length > 0,
    isNewKey: ({context}, {intent}: {intent: Intent}) =>
      pendingOf(context, intent.key) === undefined && !Object.values(context.keys).includes(intent.key),
    isPending: ({context}, {key}: {key: string}) => pendingOf(context, key) !== undefined,
    isListed: ({context}, {id}: {id: string}) =>
      !context.removing.includes(id) && context.items.some(({task}) => task.id === id),
    isRemoving: ({context}, {key}: {key: string}) => context.removing.includes(key),
    needsCredential: (_, {error}: {error: unknown}) => toFailure(error).status === 401,
    isLooking: (_, {state}: Pick<Reported, 'state'>) => state === 'looking',
  },
  actions: {
    tell: enqueueActions(({enqueue, self}, fact: TaskListFact) => {
      // alone (a test, the inspector) there is nobody to tell
      if (self._parent !== undefined) enqueue.sendTo(self._parent, fact)
    }),
    /** New or newer tasks, from a page, the poller or another tab. Nothing new changes nothing. */
    take: enqueueActions(({enqueue, context, self}, {records}: {records: readonly TaskRecord[]}) => {
      const arrived = records.filter(({task}) => !context.removed.includes(task.id))
      const items = mergeRecords(context.items, arrived)
      const joins = foundAmong(context, arrived)
      if (items === context.items && joins.length === 0) return
      const joined = new Map(joins.map(({request, record}) => [record.task.id, request.key]))
      const keys = {...context.keys, ...Object.fromEntries(joined)}
      const pending = context.pending.filter(({key}) => joins.every(({request}) => request.key !== key))
      enqueue.assign(joins.length === 0 ? {items} : {items, keys, pending})
      for (const {key} of joins.map(({request}) => request)) enqueue.stopChild(submissionId(key))
      const wereRunning = new Set(runningOf(context).map(({task}) => task.id))
      const parent = self._parent
      if (parent === undefined) return
      const {tool} = context.ref
      for (const [id, key] of joined) enqueue.sendTo(parent, {type: 'submission.accepted', tool, key, id})
      for (const record of arrived) {
        const {id} = record.task
        if (!isOver(record) || !(wereRunning.has(id) || joined.has(id))) continue
        enqueue.sendTo(parent, {type: 'task.settled', tool, id, key: keys[id] ?? id, status: record.status})
      }
    }),
    storePage: assign(({context}, {output}: {output: TaskPage}) => ({
      total: output.total,
      hasOlder: output.total > context.items.length,
      failure: undefined,
    })),
    /** Before the page is taken: whether anything of it is new says whether the list has an end. */
    storeOlderPage: assign(({context}, {output}: {output: TaskPage}) => {
      const known = new Set(context.items.map(({task}) => task.id))
      const hasNew = output.records.some(({task}) => !known.has(task.id))
      return {
        total: output.total,
        hasOlder: hasNew && output.total > output.records.length,
        olderFailure: undefined,
      }
    }),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    storeOlderFailure: assign((_, {error}: {error: unknown}) => ({olderFailure: toFailure(error)})),
    select: assign((_, {id}: {id: string | undefined}) => ({active: id})),
    storeReady: assign({setUp: 'ready' as const, failure: undefined}),
    storeMissing: assign({setUp: 'missing' as const}),
    storeHidden: assign((_, {isHidden}: {isHidden: boolean}) => ({isHidden})),
    storeOnline: assign((_, {isOnline}: {isOnline: boolean}) => ({isOnline})),
    storeLost: assign((_, {isLost}: {isLost: boolean}) => ({isLost})),
    storeGone: assign(({context}, {ids}: {ids: string[]}) => ({
      gone: [...context.gone, ...ids.filter((id) => !context.gone.includes(id))],
    })),
    /** A vanished task is asked for once more. */
    ungone: assign(({context}, {id}: {id?: string}) => (id === undefined ? {} : {gone: without(context.gone, id)})),
    /** The tray and the poller learn what runs, when that changed. */
    sync: enqueueActions(({enqueue, context, self}) => {
      const tray = trayOf(context)
      const watched = context.setUp === 'ready' ? runningOf(context).map(({task}) => task.id) : []
      const isSameTray = isSameData(tray, context.tray)
      const isSameWatch = isSameData(watched, context.watched)
      if (!isSameTray || !isSameWatch) enqueue.assign({tray, watched})
      if (!isSameWatch && context.isPolling) enqueue.sendTo('taskPoll', {type: 'tasks.watch', ids: watched})
      if (!isSameTray && self._parent !== undefined) {
        const fact: TaskListFact = {type: 'list.changed', tool: context.ref.tool, tray}
        enqueue.sendTo(self._parent, fact)
      }
    }),
    send: enqueueActions(({enqueue, context}, {intent, isRestored}: {intent: Intent; isRestored: boolean}) => {
      enqueue.spawnChild('submission', {
        id: submissionId(intent.key),
        input: {ref: context.ref, intent, isRestored},
      })
      const request: PendingTask = {...intent, state: 'sending'}
      enqueue.assign({
        pending: [...context.pending.filter(({key}) => key !== intent.key), request],
        broken: without(context.broken, intent.key),
      })
    }),
    /** Requests that the page was left with are taken up again; of the rest, what is known already is newer. */
    takeCached: enqueueActions(({enqueue, context}, {output}: {output: CachedTasks}) => {
      const isKnown = ({key}: Intent) =>
        pendingOf(context, key) !== undefined || Object.values(context.keys).includes(key)
      const intents = output.intents.filter((intent) => !isKnown(intent))
      for (const intent of intents)
        enqueue.spawnChild('submission', {
          id: submissionId(intent.key),
          input: {ref: context.ref, intent, isRestored: true},
        })
      enqueue.assign({
        total: context.total || output.total,
        hasOlder: context.hasOlder || output.total > output.records.length,
        active: context.active ?? output.active,
        pending: [...intents.map((intent) => ({...intent, state: 'sending' as const})), ...context.pending],
      })
    }),
    storeReport: enqueueActions(({enqueue, context, self}, {key, state, failure}: Omit<Reported, 'type'>) => {
      enqueue.assign({
        pending: context.pending.map((request) => (request.key === key ? {...request, state, failure} : request)),
      })
      if ((state !== 'rejected' && state !== 'usedUp') || self._parent === undefined) return
      const {tool} = context.ref
      const fact: TaskListFact = {type: 'submission.rejected', tool, key, failure: failure ?? toFailure(undefined)}
      enqueue.sendTo(self._parent, fact)
    }),
    join: enqueueActions(({enqueue, context, self}, {key, task, record}: Omit<Joined, 'type'>) => {
      const request = pendingOf(context, key)
      if (request === undefined) return
      const isKnown = context.items.some((item) => item.task.id === task)
      const arrived = record ?? (isKnown ? undefined : namedRecord(task, request))
      enqueue.stopChild(submissionId(key))
      enqueue.assign({
        items: arrived === undefined ? context.items : mergeRecords(context.items, [arrived]),
        keys: {...context.keys, [task]: key},
        pending: context.pending.filter((other) => other.key !== key),
        total: isKnown ? context.total : context.total + 1,
      })
      const parent = self._parent
      if (parent === undefined) return
      const {tool} = context.ref
      enqueue.sendTo(parent, {type: 'submission.accepted', tool, key, id: task})
      if (arrived !== undefined && isOver(arrived))
        enqueue.sendTo(parent, {type: 'task.settled', tool, id: task, key, status: arrived.status})
    }),
    retry: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      const request = pendingOf(context, key)
      if (request === undefined) return
      if (!context.broken.includes(key)) return enqueue.sendTo(submissionId(key), {type: 'submission.retry'})
      const {state: _, failure: __, ...intent} = request
      enqueue.spawnChild('submission', {id: submissionId(key), input: {ref: context.ref, intent, isRestored: true}})
      enqueue.assign({broken: without(context.broken, key)})
    }),
    retryUsedUp: enqueueActions(({enqueue, context}) => {
      for (const {key, state} of context.pending)
        if (state === 'usedUp') enqueue.sendTo(submissionId(key), {type: 'submission.retry'})
    }),
    /** Set-up stands now: requests that were refused for want of it go on. */
    retryUnprovisioned: enqueueActions(({enqueue, context}) => {
      for (const {key, failure, state} of context.pending)
        if (state === 'rejected' && failure?.code === 'not_applied')
          enqueue.sendTo(submissionId(key), {type: 'submission.retry'})
    }),
    discard: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      enqueue.stopChild(submissionId(key))
      enqueue.assign({
        pending: context.pending.filter((request) => request.key !== key),
        broken: without(context.broken, key),
      })
    }),
    remove: enqueueActions(({enqueue, context, self}, {id}: {id: string}) => {
      // the port needs the service as well; what the server does not know any more needs no call
      const input = {key: id, id: context.gone.includes(id) ? undefined : `${context.ref.service}/${id}`}
      enqueue.spawnChild('removal', {id: taskRemovalId(id), input})
      enqueue.assign({
        removing: withKey(context.removing, id),
        active: context.active === id ? undefined : context.active,
      })
      if (self._parent !== undefined) enqueue.sendTo(self._parent, {type: 'task.removed', tool: context.ref.tool, id})
    }),
    undoRemoval: enqueueActions(({enqueue}, {key}: {key: string}) => {
      enqueue.sendTo(taskRemovalId(key), {type: 'removal.undo'})
    }),
    flushRemovals: enqueueActions(({enqueue, context}) => {
      for (const id of context.removing) enqueue.sendTo(taskRemovalId(id), {type: 'removal.flush'})
    }),
    showAgain: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      enqueue.stopChild(taskRemovalId(key))
      enqueue.assign({removing: without(context.removing, key)})
    }),
    forget: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      enqueue.stopChild(taskRemovalId(key))
      enqueue.assign({
        removing: without(context.removing, key),
        removed: withKey(context.removed, key),
        gone: without(context.gone, key),
        items: context.items.filter(({task}) => task.id !== key),
        total: Math.max(0, context.total - 1),
      })
    }),
    tellRemoveFailed: enqueueActions(({enqueue, context, self}, event: {key: string; failure: Failure}) => {
      const {key: id, failure} = event
      const fact: TaskListFact = {type: 'task.removeFailed', tool: context.ref.tool, id, failure}
      if (self._parent !== undefined) enqueue.sendTo(self._parent, fact)
    }),
    /** A child broke: its request waits for the person, its removal is called off. */
    dropChild: enqueueActions(({enqueue, context}, {actorId, error}: {actorId: string; error: unknown}) => {
      const key = actorId.slice(actorId.indexOf('/') + 1)
      if (actorId === taskRemovalId(key)) enqueue.assign({removing: without(context.removing, key)})
      if (actorId !== submissionId(key)) return
      const failure = toFailure(error)
      enqueue.assign({
        broken: withKey(context.broken, key),
        pending: context.pending.map((request) =>
          request.key === key ? {...request, state: 'unsure' as const, failure} : request,
        ),
      })
    }),
    startPolling: assign({isPolling: true}),
    endPolling: assign({isPolling: false}),
    /** What the poller has to know of the page, the network and the other tabs. */
    passOn: enqueueActions(({enqueue, context, event}) => {
      if (!context.isPolling) return
      switch (event.type) {
        case 'page.hidden':
        case 'page.shown':
        case 'connection.lost':
        case 'connection.restored':
        case 'peer.polled':
          enqueue.sendTo('taskPoll', event)
          break
        default:
      }
    }),
    askNow: enqueueActions(({enqueue, context}) => {
      if (context.isPolling) enqueue.sendTo('taskPoll', {type: 'tasks.check'})
    }),
    tellGone: enqueueActions(({enqueue, context, self}, {ids}: {ids: string[]}) => {
      if (self._parent === undefined) return
      for (const id of ids) enqueue.sendTo(self._parent, {type: 'task.gone', tool: context.ref.tool, id})
    }),
    readAgain: raise({type: 'tasks.refresh'}),
    /** Port: the request has its task, or was put aside; it need not survive a killed tab any more. */
    forgetIntents: (_, _known: {keys: string[]}) => {},
  },
})
