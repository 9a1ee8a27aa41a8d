import {assign, enqueueActions, raise, setup} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import {mergeMarks, noMarks, withMark, withoutTasks, type FavouriteMarks} from '#domain/favourites.ts'
import {isSameData} from '#domain/same-data.ts'
import {promisePort, streamPort} from '#machines/lib/ports.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import type {PeerReport} from '#machines/task-poll/task-poll.types.ts'
import {submissionMachine} from './submission.machine.ts'
import {
  arrivalOf,
  brokenRequest,
  clickOf,
  intentOf,
  mayBeBuying,
  isBarren,
  isUncertain,
  joinOf,
  missingFavourites,
  pendingOf,
  reachOfNewest,
  reachOfOlder,
  restoredRequest,
  withKey,
  without,
  withoutClick,
} from './task-list.rules.ts'
import {endedOf, isDue, isOver, runningOf, trayOf} from './tasks.rules.ts'
import {
  submissionId,
  taskRemovalId,
  type CachedTasks,
  type Intent,
  type KeptIntent,
  type NamedTasks,
  type PageInput,
  type SubmissionReport,
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
type Joined = Extract<SubmissionReport, {type: 'submission.joined'}>
type Submitted = Omit<Extract<TaskListEvent, {type: 'task.submit'}>, 'type'>
type Reported = Extract<SubmissionReport, {type: 'submission.reported'}>

/** Milliseconds after which a press is not the second half of a double click. */
const settleTime = 1_000

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
    isNewKey: ({context}, {intent}: {intent: Intent}) =>
      pendingOf(context, intent.key) === undefined && !Object.values(context.keys).includes(intent.key),
    isRepeatedClick: ({context}, {from, intent: {submission}}: Submitted) =>
      from !== undefined && clickOf(context, from, submission) !== undefined,
    isPending: ({context}, {key}: {key: string}) => pendingOf(context, key) !== undefined,
    isListed: ({context}, {id}: {id: string}) =>
      !context.removing.includes(id) && context.items.some(({task}) => task.id === id),
    isRemoving: ({context}, {key}: {key: string}) => context.removing.includes(key),
    isNews: ({context}, {key, state}: Pick<Reported, 'key' | 'state'>) => {
      const request = pendingOf(context, key)
      return request !== undefined && request.state !== state
    },
    isLooking: (_, {state}: Pick<Reported, 'state'>) => state === 'looking',
  },
  actions: {
    tell: enqueueActions(({enqueue, self}, fact: TaskListFact) => {
      // alone (a test, the inspector) there is nobody to tell
      if (self._parent !== undefined) enqueue.sendTo(self._parent, fact)
    }),
    /** New or newer tasks, from a page, the poller or another tab. Nothing new changes nothing. */
    take: enqueueActions(({enqueue, context, self}, {records}: {records: readonly TaskRecord[]}) => {
      const arrival = arrivalOf(context, records)
      if (arrival === undefined) return
      const {arrived, joins, joined, changes} = arrival
      enqueue.assign(changes)
      for (const {request} of joins) {
        enqueue.stopChild(submissionId(request.key))
        enqueue.raise({type: 'click.settled', key: request.key}, {delay: settleTime})
      }
      if (joins.length > 0) enqueue.raise({type: 'submissions.found', keys: joins.map(({request}) => request.key)})
      const wereRunning = new Set(runningOf(context).map(({task}) => task.id))
      const parent = self._parent
      if (parent === undefined) return
      const {tool} = context.ref
      for (const [id, key] of joined) enqueue.sendTo(parent, {type: 'submission.accepted', tool, key, id})
      for (const record of arrived) {
        const {id} = record.task
        if (!isOver(record) || !(wereRunning.has(id) || joined.has(id))) continue
        enqueue.sendTo(parent, {type: 'task.settled', tool, id, key: changes.keys[id] ?? id, status: record.status})
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
    tellUnfound: enqueueActions(({enqueue, context, self}, {error}: {error: unknown}) => {
      const {ref, wanted = ''} = context
      const fact: TaskListFact = {type: 'task.unfound', tool: ref.tool, id: wanted, failure: toFailure(error)}
      if (self._parent !== undefined) enqueue.sendTo(self._parent, fact)
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
    /** The tray and the poller learn what runs and what ended, when that changed. */
    sync: enqueueActions(({enqueue, context, self}) => {
      const tray = trayOf(context)
      const ended = endedOf(context)
      const watched = context.setUp === 'ready' ? runningOf(context).map(({task}) => task.id) : []
      const isSameTray = isSameData(tray, context.tray) && isSameData(ended, context.ended)
      const isSameWatch = isSameData(watched, context.watched)
      if (!isSameTray || !isSameWatch) enqueue.assign({tray, ended, watched})
      if (!isSameWatch && context.isPolling) enqueue.sendTo('taskPoll', {type: 'tasks.watch', ids: watched})
      if (!isSameTray && self._parent !== undefined) {
        const fact: TaskListFact = {type: 'list.changed', tool: context.ref.tool, tray, ended}
        enqueue.sendTo(self._parent, fact)
      }
    }),
    send: enqueueActions(({enqueue, context}, {intent, from}: Submitted) => {
      const {key, submission} = intent
      enqueue.spawnChild('submission', {
        id: submissionId(key),
        input: {ref: context.ref, userId: context.userId, intent, isRestored: false, isOnline: context.isOnline},
      })
      enqueue.assign({
        pending: [...context.pending, {...intent, state: 'sending'}],
        clicks: from === undefined ? context.clicks : [...context.clicks, {from, key, submission}],
      })
    }),
    /** The same button again: while its request waits for the person that is a retry, else nothing. */
    repeatClick: enqueueActions(({enqueue, context}, {from, intent: {submission}}: Submitted) => {
      const click = clickOf(context, from, submission)
      if (click !== undefined) enqueue.raise({type: 'submission.retry', key: click.key})
    }),
    forgetClick: assign(({context}, {key}: {key: string}) => ({clicks: withoutClick(context.clicks, key)})),
    /** Requests that the page was left with are taken up again; of the rest, what is known already is newer. */
    takeCached: enqueueActions(({enqueue, context}, {output}: {output: CachedTasks}) => {
      const {ref, userId, isOnline} = context
      const isKnown = ({key}: Intent) =>
        pendingOf(context, key) !== undefined || Object.values(context.keys).includes(key)
      const requests = output.intents.filter((intent) => !isKnown(intent)).map(restoredRequest)
      for (const request of requests.filter(isUncertain))
        enqueue.spawnChild('submission', {
          id: submissionId(request.key),
          input: {ref, userId, intent: intentOf(request), isRestored: true, isOnline},
        })
      enqueue.assign({
        total: context.total || output.total,
        active: context.active ?? output.active,
        favourites: mergeMarks(context.favourites, output.favourites ?? noMarks),
        pending: [...requests, ...context.pending],
        resting: [...context.resting, ...requests.filter((each) => !isUncertain(each)).map(({key}) => key)],
        buying: requests.filter((each) => mayBeBuying(each, output.now)).map(({key}) => key),
      })
    }),
    storeReport: enqueueActions(({enqueue, context, self}, {key, state, failure, sentAt}: Omit<Reported, 'type'>) => {
      const sent = sentAt === undefined ? {} : {sentAt}
      enqueue.assign({
        pending: context.pending.map((request) =>
          request.key === key ? {...request, ...sent, state, failure} : request,
        ),
      })
      if ((state !== 'rejected' && state !== 'usedUp') || self._parent === undefined) return
      const {tool} = context.ref
      const fact: TaskListFact = {type: 'submission.rejected', tool, key, failure: failure ?? toFailure(undefined)}
      enqueue.sendTo(self._parent, fact)
    }),
    join: enqueueActions(({enqueue, context, self}, joining: Omit<Joined, 'type'>) => {
      const {key, task} = joining
      const changes = joinOf(context, joining)
      if (changes === undefined) return
      enqueue.stopChild(submissionId(key))
      enqueue.assign(changes)
      enqueue.raise({type: 'click.settled', key}, {delay: settleTime})
      const fact: TaskListFact = {type: 'submission.accepted', tool: context.ref.tool, key, id: task}
      if (self._parent !== undefined) enqueue.sendTo(self._parent, fact)
    }),
    retry: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      const {ref, userId, isOnline} = context
      const request = pendingOf(context, key)
      if (request === undefined) return
      if (!context.resting.includes(key)) return enqueue.sendTo(submissionId(key), {type: 'submission.retry'})
      enqueue.spawnChild('submission', {
        id: submissionId(key),
        input: {ref, userId, intent: intentOf(request), isRestored: isUncertain(request), isOnline},
      })
      enqueue.assign({resting: without(context.resting, key)})
    }),
    /** Those of long ago wait for the person: who buys credits today may not remember them. */
    retryUsedUp: enqueueActions(({enqueue, context: {pending, resting, buying}}) => {
      const isMeant = (key: string) => !resting.includes(key) || buying.includes(key)
      const waiting = pending.filter(({key, state}) => state === 'usedUp' && isMeant(key))
      for (const {key} of waiting) enqueue.raise({type: 'submission.retry', key})
    }),
    /** Set-up stands now: requests that were refused for want of it go on. */
    retryUnprovisioned: enqueueActions(({enqueue, context}) => {
      for (const {key, failure, state} of context.pending) {
        if (state === 'rejected' && failure?.code === 'not_applied') enqueue.raise({type: 'submission.retry', key})
        else if (!context.resting.includes(key)) enqueue.sendTo(submissionId(key), {type: 'provision.ready'})
      }
    }),
    discard: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      enqueue.stopChild(submissionId(key))
      enqueue.assign({
        pending: context.pending.filter((request) => request.key !== key),
        resting: without(context.resting, key),
        clicks: withoutClick(context.clicks, key),
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
      if (self._parent === undefined) return
      const isCharged = context.items.some((record) => record.task.id === id && isDue(record))
      enqueue.sendTo(self._parent, {type: 'task.removed', tool: context.ref.tool, id, isDue: isCharged})
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
    dropChild: enqueueActions(({enqueue, context}, {actorId, error}: {actorId: string; error: unknown}) => {
      const key = actorId.slice(actorId.indexOf('/') + 1)
      if (actorId === taskRemovalId(key)) enqueue.assign({removing: without(context.removing, key)})
      if (actorId !== submissionId(key)) return
      enqueue.assign(brokenRequest(context, key, toFailure(error)))
    }),
    startPolling: assign({isPolling: true}),
    endPolling: assign({isPolling: false}),
    /** What the poller has to know of the page, the network and the other tabs. */
    passOn: enqueueActions(({enqueue, context}, {event}: {event: ForPoll}) => {
      if (context.isPolling) enqueue.sendTo('taskPoll', event)
    }),
    /** Requests on their way wait for the network, and go on when it is back. */
    passToRequests: enqueueActions(
      ({enqueue, context}, {event}: {event: {type: 'connection.lost' | 'connection.restored'}}) => {
        for (const {key} of context.pending)
          if (!context.resting.includes(key)) enqueue.sendTo(submissionId(key), event)
      },
    ),
    /** A tool that cannot be set up is tried to be first: then what runs is asked for by itself. */
    askNow: enqueueActions(({enqueue, context, self}) => {
      if (context.isPolling) enqueue.sendTo('taskPoll', {type: 'tasks.check'})
      const fact: TaskListFact = {type: 'setUp.missed', tool: context.ref.tool}
      if (context.setUp === 'missing' && self._parent !== undefined) enqueue.sendTo(self._parent, fact)
    }),
    /** The person came back to it, perhaps from where credits are bought. */
    askForCredits: enqueueActions(({enqueue, context: {pending, ref}, self}) => {
      const fact: TaskListFact = {type: 'credits.missed', tool: ref.tool}
      if (pending.some(({state}) => state === 'usedUp') && self._parent !== undefined)
        enqueue.sendTo(self._parent, fact)
    }),
    tellGone: enqueueActions(({enqueue, context, self}, {ids}: {ids: string[]}) => {
      if (self._parent === undefined) return
      for (const id of ids) enqueue.sendTo(self._parent, {type: 'task.gone', tool: context.ref.tool, id})
    }),
    readAgain: raise({type: 'tasks.refresh'}),
    /** Port: what was heard of a request, beside its intent: the next page must not send a refused one. */
    keepIntent: (_, _known: {kept: KeptIntent | undefined}) => {},
    /** Port: the request has its task, or was put aside; it need not survive a killed tab any more. */
    forgetIntents: (_, _known: {keys: string[]}) => {},
  },
})
