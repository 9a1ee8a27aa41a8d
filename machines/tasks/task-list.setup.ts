import {assign, enqueueActions, raise, setup} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import {mergeMarks, noMarks, withMark, withoutTasks, type FavouriteMarks} from '#domain/favourites.ts'
import {isSameData} from '#domain/same-data.ts'
import {promisePort, streamPort} from '#machines/lib/ports.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import type {PeerReport} from '#machines/task-poll/task-poll.types.ts'
import {submissionMachine} from './submission.machine.ts'
import type {SubmissionEvent, SubmissionInput} from './submission.types.ts'
import {
  arrivalOf,
  isBarren,
  joinOf,
  missingFavourites,
  pendingOf,
  reachOfNewest,
  reachOfOlder,
  repeatedRequest,
  unclaimed,
  withKey,
  without,
} from './task-list.rules.ts'
import {selectPending} from './request.selectors.ts'
import {isDue, isOver, isSelfMoving, runningOf} from './tasks.rules.ts'
import {
  submissionId,
  taskRemovalId,
  type CachedTasks,
  type NamedTasks,
  type PageInput,
  type SubmissionFact,
  type TaskListContext,
  type TaskListEvent,
  type TaskListFact,
  type TaskListInput,
  type TaskPage,
  type TaskRecord,
  type ToolRef,
} from './tasks.types.ts'

type ForPoll = Extract<
  TaskListEvent,
  {type: 'page.hidden' | 'page.shown' | 'connection.lost' | 'connection.restored' | 'peer.polled'}
>
type Joined = Pick<Extract<SubmissionFact, {type: 'submission.joined'}>, 'key' | 'task'>
type Submitted = Omit<Extract<TaskListEvent, {type: 'task.submit'}>, 'type'>

/** What every submission has of its list. */
const submissionInput = (
  {ref, userId, isOnline}: TaskListContext,
  own: Pick<SubmissionInput, 'parentRef' | 'intent' | 'origin' | 'now'>,
): SubmissionInput => ({ref, userId, isOnline, ...own})

/** Ports, children, guards and actions of the list of one tool. */
export const taskListSetup = setup({
  types: {
    input: {} as TaskListInput,
    context: {} as TaskListContext,
    events: {} as TaskListEvent,
    tags: {} as 'cached' | 'loading' | 'loadingOlder' | 'loadingDays',
  },
  actors: {
    readCached: promisePort<CachedTasks, {ref: ToolRef; userId: string}>('readCached'),
    /** Rejects with `no token` when there is none (spec §5). A refused credential is renewed once by the port. */
    retrieveTasks: promisePort<TaskPage, PageInput>('retrieveTasks'),
    /** Rejects with status 404 when the server does not know the task. */
    retrieveTask: promisePort<TaskRecord, {ref: ToolRef; id: string}>('retrieveTask'),
    /** Those of these ids that the server knows. */
    retrieveNamed: promisePort<NamedTasks, {ref: ToolRef; ids: string[]}>('retrieveNamed'),
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
    mayReadOlder: ({context}) => context.hasOlder && context.setUp === 'ready',
    isBarren: ({context}, {output}: {output: TaskPage}) => isBarren(context, output),
    mayFind: ({context}, {id}: {id: string}) =>
      context.setUp === 'ready' && context.items.every(({task}) => task.id !== id),
    lacksFavourites: ({context}) => context.setUp === 'ready' && missingFavourites(context).length > 0,
    hasMoreDays: ({context}) => context.days?.hasMore === true,
    isNewKey: ({context: {requests, keys}}, {intent}: Submitted) =>
      requests.every(({key}) => key !== intent.key) && !Object.values(keys).includes(intent.key),
    isRepeated: ({context}, {from, intent}: Submitted) =>
      repeatedRequest(context, from, intent.submission) !== undefined,
    isPending: ({context}, {key}: {key: string}) => pendingOf(context, key) !== undefined,
    mayJoin: ({context}, {key, task}: Joined) =>
      context.keys[task] === undefined && pendingOf(context, key) !== undefined,
    isListed: ({context}, {id}: {id: string}) =>
      !context.removing.includes(id) && context.items.some(({task}) => task.id === id),
    isRemoving: ({context}, {key}: {key: string}) => context.removing.includes(key),
  },
  actions: {
    tell: enqueueActions(({enqueue, context: {parentRef}}, fact: TaskListFact) => {
      if (parentRef !== undefined) enqueue.sendTo(parentRef, fact)
    }),
    /** New or newer tasks, from a page, the poller or another tab. Nothing new changes nothing. */
    take: enqueueActions(({enqueue, context}, {records}: {records: readonly TaskRecord[]}) => {
      const {arrived, changes} = arrivalOf(context, records)
      const free = unclaimed(context, arrived)
      for (const {key} of free.length === 0 ? [] : context.requests)
        enqueue.sendTo(submissionId(key), {type: 'tasks.arrived', records: free})
      if (changes === undefined) return
      enqueue.assign(changes)
      const wereRunning = new Set(runningOf(context).map(({task}) => task.id))
      const parent = context.parentRef
      if (parent === undefined) return
      const {tool} = context.ref
      for (const record of arrived) {
        const {id} = record.task
        if (!isOver(record) || !wereRunning.has(id)) continue
        enqueue.sendTo(parent, {type: 'task.settled', tool, id, key: context.keys[id] ?? id, status: record.status})
      }
    }),
    storePage: assign(({context}, {output}: {output: TaskPage}) => ({
      ...reachOfNewest(context, output),
      total: output.total,
      failure: undefined,
    })),
    /** Its count is of the older tasks alone, so it says nothing of the total. */
    storeOlderPage: assign(({context}, {output}: {output: TaskPage}) => ({
      ...reachOfOlder(context, output),
      olderFailure: undefined,
    })),
    storeDays: assign((_, {from, to}: {from: number | undefined; to: number | undefined}) => ({
      days: {from, to, hasMore: false},
    })),
    /** A page of the days moves their end to the oldest that was read. */
    storeDaysPage: assign(({context: {days}}, {output: {records, total}}: {output: TaskPage}) => {
      const oldest = records.reduce((time, {task}) => Math.min(time, task.created_at), Number.POSITIVE_INFINITY)
      if (days === undefined || records.length === 0) return {days: days && {...days, hasMore: false}}
      // a page that ends where it began would be read for ever
      return {days: {...days, to: oldest, hasMore: total > records.length && oldest !== days.to}}
    }),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    storeOlderFailure: assign((_, {error}: {error: unknown}) => ({olderFailure: toFailure(error)})),
    storeWanted: assign((_, {id}: {id: string}) => ({wanted: id})),
    tellUnfound: enqueueActions(({enqueue, context}, {error}: {error: unknown}) => {
      const {ref, wanted = ''} = context
      const fact: TaskListFact = {type: 'task.unfound', tool: ref.tool, id: wanted, failure: toFailure(error)}
      if (context.parentRef !== undefined) enqueue.sendTo(context.parentRef, fact)
    }),
    select: assign((_, {id}: {id: string | undefined}) => ({active: id})),
    setFavourite: assign(({context: {favourites}}, {id, isOn, at}: {id: string; isOn: boolean; at: number}) => ({
      favourites: withMark(favourites, id, isOn, at),
    })),
    mergeFavourites: assign(({context: {favourites}}, {marks}: {marks: FavouriteMarks}) => ({
      favourites: mergeMarks(favourites, marks),
    })),
    /** What the server does not know cannot be shown again. */
    dropFavourites: assign(({context: {favourites}}, {missing}: {missing: string[]}) => ({
      favourites: withoutTasks(favourites, missing),
    })),
    storeReady: assign({setUp: 'ready' as const, failure: undefined}),
    storeMissing: assign({setUp: 'missing' as const}),
    storeHidden: assign((_, {isHidden}: {isHidden: boolean}) => ({isHidden})),
    storeOnline: assign((_, {isOnline}: {isOnline: boolean}) => ({isOnline})),
    storeLost: assign((_, {isLost}: {isLost: boolean}) => ({isLost})),
    storeGone: assign(({context: {gone}}, {ids}: {ids: string[]}) =>
      ids.every((id) => gone.includes(id)) ? {} : {gone: [...new Set([...gone, ...ids])]},
    ),
    /** A vanished task is asked for once more. */
    ungone: assign(({context}, {id}: {id?: string}) => (id === undefined ? {} : {gone: without(context.gone, id)})),
    /** The poller learns what runs, when that changed; whoever shows the tray looks again. */
    sync: enqueueActions(({enqueue, context, self}) => {
      const watched = context.setUp === 'ready' ? runningOf(context).map(({task}) => task.id) : []
      if (!isSameData(watched, context.watched)) {
        enqueue.assign({watched})
        if (context.isPolling) enqueue.sendTo('taskPoll', {type: 'tasks.watch', ids: watched})
      }
      if (context.parentRef === undefined) return
      const requests = selectPending(self.getSnapshot(), context).filter(isSelfMoving)
      const running = requests.length + runningOf(context).length
      const fact: TaskListFact = {type: 'list.changed', tool: context.ref.tool, running}
      enqueue.sendTo(context.parentRef, fact)
    }),
    send: enqueueActions(({enqueue, context, self}, {intent, from}: Submitted) => {
      enqueue.spawnChild('submission', {
        id: submissionId(intent.key),
        input: submissionInput(context, {parentRef: self, intent, origin: 'new'}),
      })
      enqueue.assign({requests: [...context.requests, {...intent, from}]})
    }),
    /** The same button again: while its request waits for the person that is a retry, else nothing. */
    repeat: enqueueActions(({enqueue, context}, {from, intent: {submission}}: Submitted) => {
      const request = repeatedRequest(context, from, submission)
      if (request !== undefined) enqueue.sendTo(submissionId(request.key), {type: 'submission.retry'})
    }),
    /** Requests that the page was left with are taken up again; of the rest, what is known already is newer. */
    takeCached: enqueueActions(({enqueue, context, self}, {output}: {output: CachedTasks}) => {
      const {requests, keys} = context
      const names = new Set([...requests.map(({key}) => key), ...Object.values(keys)])
      const stored = output.intents.filter(({key}) => !names.has(key))
      for (const intent of stored)
        enqueue.spawnChild('submission', {
          id: submissionId(intent.key),
          input: submissionInput(context, {parentRef: self, intent, origin: 'stored', now: output.now}),
        })
      enqueue.assign({
        total: context.total || output.total,
        active: context.active ?? output.active,
        favourites: mergeMarks(context.favourites, output.favourites ?? noMarks),
        requests: [...stored.map(({state: _, failure: __, ...intent}) => intent), ...requests],
      })
    }),
    /** A request has its task. */
    join: enqueueActions(({enqueue, context}, joined: Joined) => {
      const joining = joinOf(context, joined)
      if (joining === undefined) return
      const {key, task: id} = joined
      const {record, changes} = joining
      enqueue.assign(changes)
      const parent = context.parentRef
      if (parent === undefined) return
      const {tool} = context.ref
      enqueue.sendTo(parent, {type: 'submission.accepted', tool, key, id})
      if (record !== undefined && isOver(record))
        enqueue.sendTo(parent, {type: 'task.settled', tool, id, key, status: record.status})
    }),
    grant: enqueueActions(({enqueue}, {key}: {key: string}) => {
      enqueue.sendTo(submissionId(key), {type: 'task.granted'})
    }),
    /** A request looks for its task among those that are listed. */
    offer: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      enqueue.sendTo(submissionId(key), {type: 'tasks.arrived', records: unclaimed(context, context.items)})
    }),
    /** To one request, or to all of them. */
    passToRequest: enqueueActions(({enqueue}, {key, event}: {key: string; event: SubmissionEvent}) => {
      enqueue.sendTo(submissionId(key), event)
    }),
    passToRequests: enqueueActions(({enqueue, context}, {event}: {event: SubmissionEvent}) => {
      for (const {key} of context.requests) enqueue.sendTo(submissionId(key), event)
    }),
    /** A submission changed: views that select from the list read it only when the list has another snapshot. */
    renewSnapshot: assign(({context}) => ({requests: [...context.requests]})),
    dropRequest: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      enqueue.stopChild(submissionId(key))
      enqueue.assign({requests: context.requests.filter((request) => request.key !== key)})
    }),
    remove: enqueueActions(({enqueue, context}, {id}: {id: string}) => {
      // the port needs the service as well; what the server does not know any more needs no call
      const input = {key: id, id: context.gone.includes(id) ? undefined : `${context.ref.service}/${id}`}
      enqueue.spawnChild('removal', {id: taskRemovalId(id), input})
      enqueue.assign({
        removing: withKey(context.removing, id),
        active: context.active === id ? undefined : context.active,
      })
      if (context.parentRef === undefined) return
      const isCharged = context.items.some((record) => record.task.id === id && isDue(record))
      enqueue.sendTo(context.parentRef, {type: 'task.removed', tool: context.ref.tool, id, isDue: isCharged})
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
        favourites: withoutTasks(context.favourites, [key]),
        items: context.items.filter(({task}) => task.id !== key),
        total: Math.max(0, context.total - 1),
      })
    }),
    /** A child broke: its request waits for the person, its removal is called off. */
    replaceChild: enqueueActions(({enqueue, context, self}, {actorId, error}: {actorId: string; error: unknown}) => {
      const key = actorId.slice(actorId.indexOf('/') + 1)
      if (actorId === taskRemovalId(key)) enqueue.assign({removing: without(context.removing, key)})
      const request = context.requests.find((each) => actorId === submissionId(each.key))
      if (request === undefined) return
      const {from: _, ...intent} = request
      enqueue.stopChild(actorId)
      enqueue.spawnChild('submission', {
        id: submissionId(key),
        input: submissionInput(context, {
          parentRef: self,
          intent: {...intent, failure: toFailure(error)},
          origin: 'broken',
        }),
      })
    }),
    startPolling: assign({isPolling: true}),
    endPolling: assign({isPolling: false}),
    /** What the poller has to know of the page, the network and the other tabs. */
    passOn: enqueueActions(({enqueue, context}, {event}: {event: ForPoll}) => {
      if (context.isPolling) enqueue.sendTo('taskPoll', event)
    }),
    /** A tool that cannot be set up is tried to be first: then what runs is asked for by itself. */
    askNow: enqueueActions(({enqueue, context}) => {
      if (context.isPolling) enqueue.sendTo('taskPoll', {type: 'tasks.check'})
      const fact: TaskListFact = {type: 'setUp.missed', tool: context.ref.tool}
      if (context.setUp === 'missing' && context.parentRef !== undefined) enqueue.sendTo(context.parentRef, fact)
    }),
    tellGone: enqueueActions(({enqueue, context}, {ids}: {ids: string[]}) => {
      if (context.parentRef === undefined) return
      for (const id of ids) enqueue.sendTo(context.parentRef, {type: 'task.gone', tool: context.ref.tool, id})
    }),
    readAgain: raise({type: 'tasks.refresh'}),
  },
})
