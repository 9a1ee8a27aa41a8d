import {assign, enqueueActions, setup} from 'xstate'
import {noMarks} from '#domain/favourites.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {withKey, without} from '#machines/lib/keys.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {promisePort, streamPort} from '#machines/lib/ports.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {taskDaysMachine} from '#machines/task-days/task-days.machine.ts'
import {taskFavouritesMachine} from '#machines/task-favourites/task-favourites.machine.ts'
import {taskLookupMachine} from '#machines/task-lookup/task-lookup.machine.ts'
import {taskPagesMachine} from '#machines/task-pages/task-pages.machine.ts'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import type {PeerReport} from '#machines/task-poll/task-poll.types.ts'
import {taskRequestsMachine, type TaskRequestsActor} from '#machines/task-requests/task-requests.machine.ts'
import {selectPendingRequests} from '#machines/task-requests/task-requests.selectors.ts'
import {isDue, isOver, isSelfMoving, runningOf} from '#machines/tasks/tasks.rules.ts'
import {
  taskRemovalId,
  type CachedTasks,
  type RequestsFact,
  type TaskFact,
  type TaskListContext,
  type TaskListEvent,
  type TaskListInput,
} from './task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {arrivalOf, joinOf} from './task-list.rules.ts'

/** Facts of a list, which adds the name of its tool. */
type OwnFact<Fact = TaskFact> = Fact extends unknown ? Omit<Fact, 'tool'> : never

type Enqueue = {sendTo: (session: ParentRef<TaskFact>, fact: TaskFact) => void}
const showFact = (enqueue: Enqueue, {session, ref}: TaskListContext, fact: OwnFact) => {
  enqueue.sendTo(session, {...fact, tool: ref.tool})
}

/** Ports, children, guards and actions of the list of one tool. */
export const taskListSetup = setup({
  types: {
    input: {} as TaskListInput,
    context: {} as TaskListContext,
    events: {} as TaskListEvent,
    tags: {} as 'cached' | 'ready' | 'missing' | 'lost',
    children: {} as {
      environmentChanges: 'environmentChanges'
      pages: 'pages'
      days: 'days'
      lookup: 'lookup'
      favourites: 'favourites'
      requests: 'requests'
      taskPoll: 'taskPoll'
    },
  },
  actors: {
    environmentChanges,
    readCached: promisePort<CachedTasks, {ref: ToolRef; userId: string}>('readCached'),
    /** Ids of tasks that an earlier page deleted without hearing of it. Quicker than any answer of the server. */
    readDeletions: promisePort<string[], {ref: ToolRef}>('readDeletions'),
    /** Reports of this browser's other tabs about this tool's tasks. */
    peers: streamPort<{type: 'peer.polled'} & PeerReport, {ref: ToolRef; userId: string}>('peers'),
    pages: taskPagesMachine,
    days: taskDaysMachine,
    lookup: taskLookupMachine,
    favourites: taskFavouritesMachine,
    requests: taskRequestsMachine,
    taskPoll: taskPollMachine,
    removal: removalMachine,
  },
  delays: {cacheDeadline: 5_000, restartDelay: 5_000},
  guards: {
    isLost: (_, {isLost}: {isLost: boolean}) => isLost,
    isListed: ({context}, {id}: {id: string}) =>
      !context.removing.includes(id) && context.items.some(({task}) => task.id === id),
  },
  actions: {
    /** A part broke: the list breaks with it and is started again by its owner (security R59). */
    breakDown: (_, {error}: {error: unknown}) => {
      throw error
    },
    show: enqueueActions(({enqueue, context}, fact: OwnFact) => showFact(enqueue, context, fact)),
    checkBalance: enqueueActions(({enqueue, context: {parentRef}}) => {
      enqueue.sendTo(parentRef, {type: 'balance.check'})
    }),
    /** Running tasks are polled and shown in the tray. Requests count while they proceed without the user. */
    sync: enqueueActions(({enqueue, context, self}) => {
      enqueue.raise({type: 'running.changed'})
      // as: within `setup` the snapshot is that of any machine; `children` above pairs ids and machines
      const requests = self.getSnapshot().children.requests as TaskRequestsActor | undefined
      const pending = requests === undefined ? [] : selectPendingRequests(requests.getSnapshot())
      const running = pending.filter(isSelfMoving).length + runningOf(context).length
      enqueue.sendTo(context.parentRef, {type: 'list.changed', tool: context.ref.tool, running})
    }),
    /** New or newer tasks, from the server or another tab. Nothing new changes nothing. */
    take: enqueueActions(({enqueue, context}, {records}: {records: readonly TaskRecord[]}) => {
      const {arrived, changes} = arrivalOf(context, records)
      enqueue.sendTo('requests', {type: 'tasks.arrived', records: arrived})
      if (changes === undefined) return
      enqueue.assign(changes)
      const wereRunning = new Set(runningOf(context).map(({task}) => task.id))
      const settledRecords = arrived.filter((record) => isOver(record) && wereRunning.has(record.task.id))
      for (const {task, status} of settledRecords)
        showFact(enqueue, context, {type: 'task.settled', id: task.id, status})
      if (settledRecords.length > 0) enqueue.sendTo(context.parentRef, {type: 'balance.check'})
    }),
    storeTotal: assign((_, {total}: {total?: number}) => (total === undefined ? {} : {total})),
    /** Listed tasks are newer than stored ones. */
    takeCached: enqueueActions(({enqueue, context}, {output}: {output: CachedTasks}) => {
      const {total, active, favourites = noMarks, intents, now} = output
      enqueue.assign({total: context.total || total, active: context.active ?? active})
      enqueue.sendTo('favourites', {type: 'favourites.merged', marks: favourites})
      enqueue.sendTo('requests', {type: 'requests.restored', intents, now})
    }),
    /** A request has its task. */
    join: enqueueActions(
      ({enqueue, context}, joinFact: Pick<Extract<RequestsFact, {type: 'request.joined'}>, 'key' | 'task'>) => {
        const {record, changes} = joinOf(context, joinFact)
        if (changes !== undefined) enqueue.assign(changes)
        if (record !== undefined && isOver(record))
          showFact(enqueue, context, {type: 'task.settled', id: joinFact.task.id, status: record.status})
      },
    ),
    select: assign((_, {id}: {id: string | undefined}) => ({active: id})),
    storeGone: assign(({context: {gone}}, {ids}: {ids: string[]}) =>
      ids.every((id) => gone.includes(id)) ? {} : {gone: [...new Set([...gone, ...ids])]},
    ),
    showGone: enqueueActions(({enqueue, context}, {ids}: {ids: string[]}) => {
      for (const id of ids) showFact(enqueue, context, {type: 'task.gone', id})
    }),
    /** A vanished task is polled once more. */
    ungone: assign(({context}, {id}: {id?: string}) => (id === undefined ? {} : {gone: without(context.gone, id)})),
    watch: enqueueActions(({enqueue, context}) => {
      enqueue.sendTo('taskPoll', {type: 'tasks.watch', ids: runningOf(context).map(({task}) => task.id)})
    }),
    watchNothing: enqueueActions(({enqueue}) => {
      enqueue.sendTo('taskPoll', {type: 'tasks.watch', ids: []})
    }),
    passToPoll: enqueueActions(
      ({enqueue}, {event}: {event: {type: 'tasks.check'} | ({type: 'peer.polled'} & PeerReport)}) => {
        enqueue.sendTo('taskPoll', event)
      },
    ),
    readAgain: enqueueActions(({enqueue}) => {
      enqueue.sendTo('pages', {type: 'tasks.refresh'})
    }),
    /** Parts that wait for set-up continue. */
    passSetUp: enqueueActions(({enqueue}, {type}: {type: 'provision.ready' | 'provision.missing'}) => {
      for (const part of ['pages', 'days', 'requests'] as const) enqueue.sendTo(part, {type})
    }),
    /** Their tasks stay away; the deletions are sent once more when there is a credential. */
    resumeRemovals: enqueueActions(({enqueue, context: {ref, removing}, self}, {ids}: {ids: string[]}) => {
      for (const key of ids) {
        const id = taskRemovalId(ref.tool, key)
        const input = {parentRef: self, key, id: `${ref.service}/${key}`, isUnconfirmed: true}
        enqueue.spawnChild('removal', {id, systemId: id, input})
      }
      enqueue.assign({removing: [...without(removing, ...ids), ...ids], unconfirmed: ids})
    }),
    sendUnconfirmed: enqueueActions(({enqueue, context: {ref, unconfirmed}}) => {
      for (const id of unconfirmed) enqueue.sendTo(taskRemovalId(ref.tool, id), {type: 'credential.ready'})
    }),
    remove: enqueueActions(({enqueue, context, self}, {id}: {id: string}) => {
      const {ref, gone, items, active} = context
      const removalId = taskRemovalId(ref.tool, id)
      enqueue.spawnChild('removal', {
        id: removalId,
        systemId: removalId,
        // the port needs the service as well; a task that the server does not know any more needs no call
        input: {parentRef: self, key: id, id: gone.includes(id) ? undefined : `${ref.service}/${id}`},
      })
      enqueue.assign({removing: withKey(context.removing, id), active: active === id ? undefined : active})
      const isCharged = items.some((record) => record.task.id === id && isDue(record))
      showFact(enqueue, context, {type: 'task.removed', id, isDue: isCharged})
    }),
    flushRemovals: enqueueActions(({enqueue, context: {ref, removing}}) => {
      for (const id of removing) enqueue.sendTo(taskRemovalId(ref.tool, id), {type: 'removal.flush'})
      // none can be taken back any more, and the answers may not find this page
      enqueue.assign({unconfirmed: removing})
    }),
    showAgain: enqueueActions(({enqueue, context: {ref, removing, unconfirmed}}, {key}: {key: string}) => {
      enqueue.stopChild(taskRemovalId(ref.tool, key))
      enqueue.assign({removing: without(removing, key), unconfirmed: without(unconfirmed, key)})
    }),
    forget: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      enqueue.stopChild(taskRemovalId(context.ref.tool, key))
      enqueue.assign({
        removing: without(context.removing, key),
        unconfirmed: without(context.unconfirmed, key),
        removed: withKey(context.removed, key),
        gone: without(context.gone, key),
        items: context.items.filter(({task}) => task.id !== key),
        total: Math.max(0, context.total - 1),
      })
      enqueue.sendTo('favourites', {type: 'task.forgotten', id: key})
    }),
    /** A removal broke: it is called off. */
    callOff: assign(({context: {ref, removing, unconfirmed}}, {actorId}: {actorId: string}) => {
      const isOther = (id: string) => taskRemovalId(ref.tool, id) !== actorId
      return {removing: removing.filter(isOther), unconfirmed: unconfirmed.filter(isOther)}
    }),
  },
})
