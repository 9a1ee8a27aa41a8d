import {assign, enqueueActions, setup} from 'xstate'
import type {ChatCapability} from '#contract/management.ts'
import {
  conversationListMachine,
  type ConversationListActor,
} from '#machines/conversation-list/conversation-list.machine.ts'
import type {ConversationListFact} from '#machines/conversation-list/conversation-list.types.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {logicPort, promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {countCrash, forgive, isBeyondRepair, restartDelay, supervision} from '#machines/lib/supervision.ts'
import type {playerMachine} from '#machines/player/player.machine.ts'
import {provisioningMachine, type ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {TasksActor, tasksMachine} from '#machines/tasks/tasks.machine.ts'
import type {TaskListFact, TasksEvent, UsedTool} from '#machines/tasks/tasks.types.ts'
import type {SessionChild, SessionContext, SessionEvent, SessionInput, StoredSession} from './session.types.ts'

/** Ports, children, guards and actions of a session. */
export const sessionSetup = setup({
  types: {input: {} as SessionInput, context: {} as SessionContext, events: {} as SessionEvent},
  actors: {
    environmentChanges,
    /** Reads what this browser kept for the user, validated. */
    readStored: promisePort<StoredSession, {userId: string}>('readStored'),
    provisioning: provisioningMachine,
    conversations: conversationListMachine,
    /** Loads the charts of the tasks: who only chats does not carry them. */
    loadMedia: promisePort<void>('loadMedia'),
    /** Loads the chart of the player, with the first song. */
    loadPlayer: promisePort<void>('loadPlayer'),
    /** Tools in which something runs, as the server says; none where it does not say. */
    findRunning: promisePort<UsedTool[]>('findRunning'),
    tasks: logicPort<typeof tasksMachine>('tasks'),
    player: logicPort<typeof playerMachine>('player'),
  },
  delays: {
    readDeadline: 3_000,
    loadDeadline: 30_000,
    /** Longer than the set-up of a chat takes. */
    chatFirst: 15_000,
    /** An answer of the server to what runs is new for so long. */
    freshness: 300_000,
    calm: supervision.calm,
    restartDelay: ({context}) => restartDelay(context.crashes),
  },
  guards: {
    isBroken: ({context}, {child}: {child: SessionChild}) => isBeyondRepair(context.crashes, child),
    isFor: (_, {child, asked}: {child: SessionChild; asked: SessionChild}) => child === asked,
    hasSongs: ({context}) => context.stored.songs !== undefined,
    hasTools: ({context}) => context.tools.length > 0,
  },
  actions: {
    storeStored: assign((_, {output}: {output: StoredSession}) => ({stored: output, tools: output.tools})),
    storeTool: assign(({context}, {ref, provision}: UsedTool) =>
      context.tools.some((known) => known.ref.tool === ref.tool) ? {} : {tools: [...context.tools, {ref, provision}]},
    ),
    storeFound: assign(({context}, {output}: {output: UsedTool[]}) => ({
      tools: [...context.tools.filter(({ref}) => output.every((found) => found.ref.tool !== ref.tool)), ...output],
    })),
    countCrash: assign(({context}, {child, error}: {child: SessionChild; error: unknown}) => ({
      crashes: countCrash(context.crashes, child, error),
    })),
    forgive: assign(({context}, {child}: {child: SessionChild}) => ({crashes: forgive(context.crashes, child)})),
    shareCapabilities: enqueueActions(({enqueue, system}, {capabilities}: {capabilities: ChatCapability[]}) => {
      const list = findActor<ConversationListActor>(system, 'conversations')
      if (list !== undefined) enqueue.sendTo(list, {type: 'service.changed', capabilities})
    }),
    shareCredential: enqueueActions(({enqueue, system}, {isReady}: {isReady: boolean}) => {
      const list = findActor<ConversationListActor>(system, 'conversations')
      if (list !== undefined) enqueue.sendTo(list, {type: isReady ? 'credential.ready' : 'credential.missing'})
    }),
    refreshBalance: enqueueActions(({enqueue, system}) => {
      const provisioning = findActor<ProvisioningActor>(system, 'provisioning/chat')
      if (provisioning !== undefined) enqueue.sendTo(provisioning, {type: 'applications.refresh'})
    }),
    /** To the media tools, when their chart runs. */
    passToTasks: enqueueActions(({enqueue, system}, {event}: {event: TasksEvent}) => {
      const tasks = findActor<TasksActor>(system, 'tasks')
      if (tasks !== undefined) enqueue.sendTo(tasks, event)
    }),
    /** Port: what this browser kept for the user could not be read. */
    logUnread: (_, _failed: {error: unknown}) => unfilledAction('logUnread'),
    /** Port: a part broke. Written to the log, never swallowed. */
    logCrash: (_, _crash: {child: SessionChild; error: unknown}) => unfilledAction('logCrash'),
    /** Port: the general application stands, new or from before. */
    showApplied: (_, _applied: {isNew: boolean}) => unfilledAction('showApplied'),
    /** Port: a task came to its end. */
    showTask: (_, _settled: Extract<TaskListFact, {type: 'task.settled'}>) => unfilledAction('showTask'),
    /** Port: a task is unknown to the server, was taken off its list, or could not be. */
    showTaskFact: (
      _,
      _fact: Extract<TaskListFact, {type: 'task.gone' | 'task.unfound' | 'task.removed' | 'task.removeFailed'}>,
    ) => unfilledAction('showTaskFact'),
    /** Port: a deleted conversation can be taken back for a while. */
    showRemoved: (_, _removed: {key: string; title: string | undefined}) => unfilledAction('showRemoved'),
    /** Port: a rename, a deletion or a question asked again was refused. */
    showListFailure: (_, _failed: Extract<ConversationListFact, {type: 'list.failed'}>) =>
      unfilledAction('showListFailure'),
  },
})
