import {assign, enqueueActions, setup, type ActorLogic} from 'xstate'
import type {UsedResult} from '#domain/use-targets.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import type {GenerationActor, GenerationSnapshot} from '#machines/generation/generation.machine.ts'
import type {GenerationEvent} from '#machines/generation/generation.types.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {logicPort, promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {countCrash, forgive, isBeyondRepair, restartDelay, supervision} from '#machines/lib/supervision.ts'
import {provisioningMachine, type ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {selectReport} from '#machines/provisioning/provisioning.selectors.ts'
import type {ProvisioningEvent, SetUpReport} from '#machines/provisioning/provisioning.types.ts'
import type {SelectionActor, selectionMachine} from '#machines/selection/selection.machine.ts'
import {selectionId, type SelectionEvent} from '#machines/selection/selection.types.ts'
import {taskListMachine, type TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {TaskRequestsEvent} from '#machines/task-requests/task-requests.types.ts'
import {newlyNamed} from '#machines/tasks/tasks.rules.ts'
import {formId, taskListId, toolProvisioningId} from '#machines/tasks/tasks.types.ts'
import type {NamedTask} from '#machines/task-list/task-list.types.ts'
import type {FormOwner, SessionFact, ToolContext, ToolEvent, ToolFact, ToolInput, ToolPart} from './tool.types.ts'

/** The form of any tool (`generationMachine` with the rules of that tool). */
export type FormLogic = ActorLogic<GenerationSnapshot, GenerationEvent, {tool: string; owner: FormOwner}>

/** Ports, children, guards and actions of one tool. */
export const toolSetup = setup({
  types: {
    input: {} as ToolInput,
    context: {} as ToolContext,
    events: {} as ToolEvent,
    tags: {} as 'failed' | 'down',
  },
  actors: {
    environmentChanges,
    list: taskListMachine,
    provisioning: provisioningMachine,
    /** Loads rules, screen and form chart of the tool. */
    loadForm: promisePort<void, {tool: string}>('loadForm'),
    form: logicPort<FormLogic>('form'),
    /** Loads the chart of the choice of several results. */
    loadSelection: promisePort<void>('loadSelection'),
    selection: logicPort<typeof selectionMachine>('selection'),
  },
  delays: {
    loadDeadline: 45_000,
    calm: supervision.calm,
    restartDelay: ({context}) => restartDelay(context.crashes),
  },
  guards: {
    isBroken: ({context}, {child}: {child: ToolPart}) => isBeyondRepair(context.crashes, child),
    /** It says that the screen is open, not that a result goes into the form. */
    isScreen: (_, {use}: {use?: UsedResult}) => use === undefined,
    isFor: (_, {child, asked}: {child: ToolPart; asked: ToolPart}) => child === asked,
    isOffline: ({context}) => !selectIsOnline(context.environment.getSnapshot()),
  },
  actions: {
    countCrash: assign(({context}, {child, error}: {child: ToolPart; error: unknown}) => ({
      crashes: countCrash(context.crashes, child, error),
    })),
    forgive: assign(({context}, {child}: {child: ToolPart}) => ({crashes: forgive(context.crashes, child)})),
    report: enqueueActions(({enqueue, context: {parentRef}}, fact: ToolFact) => {
      enqueue.sendTo(parentRef, fact)
    }),
    show: enqueueActions(({enqueue, context: {session}}, fact: SessionFact) => {
      enqueue.sendTo(session, fact)
    }),
    passSetUp: enqueueActions(({enqueue, context: {ref}, system}, {type}: {type: SetUpReport}) => {
      const list = findActor<TaskListActor>(system, taskListId(ref.tool))
      const form = findActor<GenerationActor>(system, formId(ref.tool))
      if (list !== undefined) enqueue.sendTo(list, {type})
      if (form !== undefined && type === 'provision.ready') enqueue.sendTo(form, {type})
    }),
    /** Provisioning has reported nothing while it settles: its report comes. */
    repeatReport: enqueueActions(({enqueue, context: {ref}, system}) => {
      const provisioning = findActor<ProvisioningActor>(system, toolProvisioningId(ref.tool))
      const report = provisioning && selectReport(provisioning.getSnapshot())
      if (report !== undefined) enqueue.raise({type: report, serviceId: ref.serviceId})
    }),
    passToRequests: enqueueActions(({enqueue, context: {ref}, system}, {event}: {event: TaskRequestsEvent}) => {
      const list = findActor<TaskListActor>(system, taskListId(ref.tool))
      const requests = list?.getSnapshot().children.requests
      if (requests !== undefined) enqueue.sendTo(requests, event)
    }),
    /** The newest page is read, and requests without credits look for some. */
    openList: enqueueActions(({enqueue, context: {ref}, system}) => {
      const parts = findActor<TaskListActor>(system, taskListId(ref.tool))?.getSnapshot().children
      if (parts?.pages !== undefined) enqueue.sendTo(parts.pages, {type: 'tasks.open'})
      if (parts?.requests !== undefined) enqueue.sendTo(parts.requests, {type: 'credits.look'})
    }),
    /** The list learns what the server says is being made. */
    nameTasks: enqueueActions(({enqueue, context: {ref}, system}, {tasks}: {tasks: NamedTask[]}) => {
      const list = findActor<TaskListActor>(system, taskListId(ref.tool))
      if (list !== undefined)
        enqueue.sendTo(list, {type: 'tasks.read', records: newlyNamed(list.getSnapshot().context, tasks)})
    }),
    /** The balance may have changed: it is read again, and set-up continues if something is missing. */
    checkBalance: enqueueActions(({enqueue, context: {ref}, system}) => {
      const provisioning = findActor<ProvisioningActor>(system, toolProvisioningId(ref.tool))
      if (provisioning !== undefined) enqueue.sendTo(provisioning, {type: 'applications.refresh'})
    }),
    passToProvisioning: enqueueActions(({enqueue, context: {ref}, system}, {event}: {event: ProvisioningEvent}) => {
      const provisioning = findActor<ProvisioningActor>(system, toolProvisioningId(ref.tool))
      if (provisioning !== undefined) enqueue.sendTo(provisioning, event)
    }),
    storeUse: assign(({context: {uses}}, {use}: {use?: UsedResult}) =>
      use === undefined ? {} : {uses: [...uses, use]},
    ),
    passUses: enqueueActions(({enqueue, context: {ref, uses}, system}) => {
      const form = findActor<GenerationActor>(system, formId(ref.tool))
      if (form === undefined) return
      for (const use of uses) enqueue.sendTo(form, {type: 'result.use', use})
      enqueue.assign({uses: []})
    }),
    storeChoice: assign(({context: {choices}}, {event}: {event: SelectionEvent}) => ({choices: [...choices, event]})),
    passChoices: enqueueActions(({enqueue, context: {ref, choices}, system}) => {
      const selection = findActor<SelectionActor>(system, selectionId(ref.tool))
      if (selection === undefined) return
      for (const event of choices) enqueue.sendTo(selection, event)
      enqueue.assign({choices: []})
    }),
    clearChoices: assign({choices: []}),
    /** Port: a part broke or could not be loaded. Written to the log, never swallowed. */
    logCrash: (_, _crash: {child: ToolPart | 'selection'; error: unknown}) => unfilledAction('logCrash'),
  },
})
