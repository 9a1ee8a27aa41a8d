import {assign, enqueueActions, setup, type AnyActorRef} from 'xstate'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {partPort} from '#machines/lib/part-use.ts'
import {logicPort, promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {countCrash, forgive, isBeyondRepair, restartDelay, supervision} from '#machines/lib/supervision.ts'
import type {playerMachine} from '#machines/player/player.machine.ts'
import type {Song} from '#machines/player/player.types.ts'
import {provisioningMachine} from '#machines/provisioning/provisioning.machine.ts'
import type {CreditsBought} from '#machines/provisioning/provisioning.types.ts'
import type {tasksMachine} from '#machines/tasks/tasks.machine.ts'
import type {RunningTool, TasksEvent} from '#machines/tasks/tasks.types.ts'
import type {
  ListFact,
  PassedEvent,
  SessionChild,
  SessionContext,
  SessionEvent,
  SessionInput,
  ShownFact,
  StoredSession,
} from './session.types.ts'

/** Raised by the chart itself: what was loaded can be sent to. */
type Internal = {type: 'child.started'}

/** Ports, children, guards and actions of a session. */
export const sessionSetup = setup({
  types: {input: {} as SessionInput, context: {} as SessionContext, events: {} as SessionEvent | Internal},
  actors: {
    environmentChanges,
    /** Reads what this browser kept for the user, validated. */
    readStored: promisePort<StoredSession, {userId: string}>('readStored'),
    provisioning: provisioningMachine,
    conversations: conversationListMachine,
    /** Loads the charts of the tasks: a user who only chats does not need them. */
    loadMedia: promisePort<void>('loadMedia'),
    /** Loads the chart of the player, with the first song. */
    loadPlayer: promisePort<void>('loadPlayer'),
    /** Tools in which something runs, as the server says; none where it does not say. */
    findRunning: promisePort<RunningTool[]>('findRunning'),
    tasks: logicPort<typeof tasksMachine>('tasks'),
    player: logicPort<typeof playerMachine>('player'),
    part: partPort(),
  },
  delays: {
    readDeadline: 3_000,
    loadDeadline: 30_000,
    /** Longer than the set-up of a chat takes. */
    chatFirst: 15_000,
    /** How long a list of the running tasks counts as fresh. */
    freshness: 300_000,
    calm: supervision.calm,
    restartDelay: ({context}) => restartDelay(context.crashes),
  },
  guards: {
    isBroken: ({context}, {child}: {child: SessionChild}) => isBeyondRepair(context.crashes, child),
    isFor: (_, {child, asked}: {child: SessionChild; asked: SessionChild}) => child === asked,
    hasSongs: ({context: {stored, queue}}) => stored.songs !== undefined || queue.some(({to}) => to === 'player'),
    hasTools: ({context}) => context.tools.length > 0,
  },
  actions: {
    storeStored: assign(({context}, {output}: {output: StoredSession}) => ({
      stored: output,
      tools: [...new Set([...output.tools, ...context.tools])],
    })),
    /** These tools are in use from now on. */
    queueForTasks: assign(({context}, {tools, event}: {tools: string[]; event: TasksEvent}) => ({
      tools: [...new Set([...context.tools, ...tools])],
      // an event without tools needs no queue
      queue: tools.length === 0 ? context.queue : [...context.queue, {to: 'tasks', event} as const],
    })),
    queueForPlayer: assign(({context: {queue}}, {song}: {song: Song}) => ({
      queue: [...queue, {to: 'player', event: {type: 'track.play', ...song}} as const],
    })),
    /** For all tools; a page that was just loaded has not started them yet. */
    queueBought: assign(({context: {queue}}, {event}: {event: CreditsBought}) => ({
      queue: [...queue, {to: 'provisioning/chat', event} as const, {to: 'tasks', event} as const],
    })),
    /** A song within the press where that is possible: some browsers want it so. */
    passQueue: enqueueActions(({enqueue, context: {queue}, system}) => {
      const actorOf = ({to}: (typeof queue)[number]) => findActor<AnyActorRef>(system, to)
      for (const entry of queue) {
        const actor = actorOf(entry)
        if (actor !== undefined) enqueue.sendTo(actor, entry.event)
      }
      enqueue.assign({queue: queue.filter((entry) => actorOf(entry) === undefined)})
    }),
    startPart: enqueueActions(({enqueue, system}, {id}: {id: string}) => {
      if (findActor(system, id) === undefined) enqueue.spawnChild('part', {id, systemId: id, input: {id}})
    }),
    countCrash: assign(({context}, {child, error}: {child: SessionChild; error: unknown}) => ({
      crashes: countCrash(context.crashes, child, error),
    })),
    forgive: assign(({context}, {child}: {child: SessionChild}) => ({crashes: forgive(context.crashes, child)})),
    /** To a part, when it runs. */
    pass: enqueueActions(({enqueue, system}, {to, event}: PassedEvent) => {
      const actor = findActor<AnyActorRef>(system, to)
      if (actor !== undefined) enqueue.sendTo(actor, event)
    }),
    /** Port: what this browser kept for the user could not be read. */
    logUnread: (_, _failed: {error: unknown}) => unfilledAction('logUnread'),
    /** Port: a part broke. Written to the log, never swallowed. */
    logCrash: (_, _crash: {child: string; error: unknown}) => unfilledAction('logCrash'),
    /** Port: the general application stands, new or from before. */
    showApplied: (_, _applied: {isNew: boolean}) => unfilledAction('showApplied'),
    /** Port: what became of a task, or a tool could not be loaded. */
    showTaskFact: (_, _fact: ShownFact) => unfilledAction('showTaskFact'),
    /** Port: a deletion, or marks, can be taken back for a while. */
    showUndoable: (_, _undoable: Extract<ListFact, {type: 'list.undoable'}>) => unfilledAction('showUndoable'),
    /** Port: a new title, marks, a deletion or a question asked again were refused. */
    showListFailure: (_, _failed: Extract<ListFact, {type: 'list.failed'}>) => unfilledAction('showListFailure'),
  },
})
