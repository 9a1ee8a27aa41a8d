import {assign, enqueueActions, setup, type ActorLogic, type AnyActorRef} from 'xstate'
import type {GenerationSnapshot} from '#machines/generation/generation.machine.ts'
import type {GenerationEvent} from '#machines/generation/generation.types.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {logicPort, unfilledAction} from '#machines/lib/ports.ts'
import {countCrash, forgive, restartDelay, supervision} from '#machines/lib/supervision.ts'
import {provisioningMachine, type ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {ProvisionFact} from '#machines/provisioning/provisioning.types.ts'
import type {selectionMachine} from '#machines/selection/selection.machine.ts'
import {selectionId} from '#machines/selection/selection.types.ts'
import {taskListMachine, type TaskListActor} from '#machines/task-list/task-list.machine.ts'
import {newlyNamed} from './tasks.rules.ts'
import type {TaskRequestsEvent} from '#machines/task-requests/task-requests.types.ts'
import {
  formId,
  taskListId,
  toolProvisioningId,
  type SetUp,
  type TaskListFact,
  type TaskListInput,
  type TasksContext,
  type TasksEvent,
  type TasksInput,
  type ToolPart,
  type ToolRef,
  type UsedTool,
} from './tasks.types.ts'

const isPartOf = (tool: string, part: string): part is ToolPart =>
  part === taskListId(tool) || part === toolProvisioningId(tool) || part === formId(tool)

/** The form of any tool (`generationMachine` with the rules of that tool). */
export type FormLogic = ActorLogic<GenerationSnapshot, GenerationEvent, {tool: string}>

/** Of some tools those that have no list yet. */
export const unusedOf = (context: TasksContext, tools: readonly UsedTool[]) =>
  tools.filter(({ref}) => context.tools.every((known) => known.ref.tool !== ref.tool))

const listInput = (
  {userId, environment}: TasksContext,
  ref: ToolRef,
  parentRef: TaskListInput['parentRef'],
): TaskListInput => ({...(parentRef && {parentRef}), userId, ref, environment})

const setUpFacts = {ready: 'provision.ready', missing: 'provision.missing'} as const

const provisioningInput = (
  {userId, host}: TasksContext,
  {ref, provision}: UsedTool,
  parentRef: ParentRef<ProvisionFact>,
) => ({
  parentRef,
  userId,
  host,
  serviceId: ref.serviceId,
  restored: provision,
})

/** Children, guards and actions of all tools. */
export const tasksSetup = setup({
  types: {input: {} as TasksInput, context: {} as TasksContext, events: {} as TasksEvent},
  actors: {
    taskList: taskListMachine,
    provisioning: provisioningMachine,
    /** Filled with the chart of each tool's form, once that is loaded. */
    form: logicPort<FormLogic>('form'),
    /** Loaded with the first choice of several results. */
    selection: logicPort<typeof selectionMachine>('selection'),
  },
  guards: {
    isNew: ({context}, used: UsedTool) => unusedOf(context, [used]).length > 0,
  },
  actions: {
    start: enqueueActions(({enqueue, context, self}, {tools}: {tools: UsedTool[]}) => {
      for (const used of tools) {
        const {tool} = used.ref
        const listId = taskListId(tool)
        const provisioningId = toolProvisioningId(tool)
        // the list first: it hears at once whether a stored credential stands
        enqueue.spawnChild('taskList', {id: listId, systemId: listId, input: listInput(context, used.ref, self)})
        enqueue.spawnChild('provisioning', {
          id: provisioningId,
          systemId: provisioningId,
          input: provisioningInput(context, used, self),
        })
      }
      enqueue.assign({tools: [...context.tools, ...unusedOf(context, tools)]})
    }),
    /** A form that is there already keeps what was typed. */
    openForm: enqueueActions(({enqueue, context, system}, {tool}: {tool: string}) => {
      const id = formId(tool)
      const isUsed = context.tools.some(({ref}) => ref.tool === tool)
      if (!isUsed || findActor<AnyActorRef>(system, id) !== undefined) return
      enqueue.spawnChild('form', {id, systemId: id, input: {tool}})
    }),
    openSelection: enqueueActions(({enqueue, context, system}, {tool}: {tool: string}) => {
      const id = selectionId(tool)
      const ref = context.tools.find((used) => used.ref.tool === tool)?.ref
      if (ref === undefined || findActor<AnyActorRef>(system, id) !== undefined) return
      enqueue.spawnChild('selection', {id, systemId: id, input: {ref}})
    }),
    /** The lists learn what the server says is being made. */
    name: enqueueActions(({enqueue, system}, {tools}: {tools: UsedTool[]}) => {
      for (const {ref, running} of tools) {
        const list = findActor<TaskListActor>(system, taskListId(ref.tool))
        if (list === undefined || running === undefined) continue
        enqueue.sendTo(list, {type: 'tasks.read', records: newlyNamed(list.getSnapshot().context, running)})
      }
    }),
    /** A part that runs is let be: a second press, or one while the restart is due, would start it twice. */
    restart: enqueueActions(({enqueue, context, self, system}, {part}: {part: ToolPart}) => {
      const used = context.tools.find(({ref}) => isPartOf(ref.tool, part))
      if (used === undefined || findActor<AnyActorRef>(system, part) !== undefined) return
      if (part === taskListId(used.ref.tool)) {
        enqueue.spawnChild('taskList', {id: part, systemId: part, input: listInput(context, used.ref, self)})
        const setUp = context.setUps[used.ref.serviceId]
        if (setUp !== undefined) enqueue.sendTo(part, {type: setUpFacts[setUp]})
      } else if (part === formId(used.ref.tool))
        enqueue.spawnChild('form', {id: part, systemId: part, input: {tool: used.ref.tool}})
      else enqueue.spawnChild('provisioning', {id: part, systemId: part, input: provisioningInput(context, used, self)})
    }),
    /** To the requests of one tool, or of all. */
    passToRequests: enqueueActions(
      ({enqueue, context, system}, {tool, event}: {tool?: string; event: TaskRequestsEvent}) => {
        for (const {ref} of context.tools) {
          const list = findActor<TaskListActor>(system, taskListId(ref.tool))
          const requests = list?.getSnapshot().children.requests
          if (requests !== undefined && (tool === undefined || tool === ref.tool)) enqueue.sendTo(requests, event)
        }
      },
    ),
    storeSetUp: enqueueActions(
      ({enqueue, context, system}, report: {serviceId: string; setUp: Exclude<SetUp, 'settling'>}) => {
        const {serviceId, setUp} = report
        enqueue.assign({setUps: {...context.setUps, [serviceId]: setUp}})
        for (const {ref} of context.tools) {
          const list = findActor<TaskListActor>(system, taskListId(ref.tool))
          if (ref.serviceId === serviceId && list !== undefined) enqueue.sendTo(list, {type: setUpFacts[setUp]})
        }
      },
    ),
    /** Something was charged, or not: the balance is read again, and what is missing is set up. */
    refreshBalance: enqueueActions(({enqueue, system}, {tool}: {tool: string}) => {
      const provisioning = findActor<ProvisioningActor>(system, toolProvisioningId(tool))
      if (provisioning !== undefined) enqueue.sendTo(provisioning, {type: 'applications.refresh'})
    }),
    /** Set-up of each tool looks again. */
    refreshSetUps: enqueueActions(({enqueue, context, system}) => {
      for (const {ref} of context.tools) {
        const provisioning = findActor<ProvisioningActor>(system, toolProvisioningId(ref.tool))
        if (provisioning !== undefined) enqueue.sendTo(provisioning, {type: 'applications.refresh'})
      }
    }),
    storeRunning: assign(({context}, {tool, running}: {tool: string; running: number}) => ({
      running: {...context.running, [tool]: running},
    })),
    /** The session shows notices. */
    tell: enqueueActions(({enqueue, context: {parentRef}}, {fact}: {fact: TaskListFact | ProvisionFact}) => {
      if (parentRef !== undefined) enqueue.sendTo(parentRef, fact)
    }),
    /** A part broke: its siblings live on, and it is started again after a while (security R59). */
    restartLater: enqueueActions(({enqueue, context}, {actorId, error}: {actorId: string; error: unknown}) => {
      const used = context.tools.find(({ref}) => isPartOf(ref.tool, actorId))
      if (used === undefined || !isPartOf(used.ref.tool, actorId)) return
      const crashes = countCrash(context.crashes, actorId, error)
      enqueue.stopChild(actorId)
      enqueue.assign({crashes})
      if (actorId === taskListId(used.ref.tool)) enqueue.assign({running: {...context.running, [used.ref.tool]: 0}})
      if ((crashes[actorId]?.count ?? 0) <= supervision.restarts)
        enqueue.raise(
          {type: 'part.restart', part: actorId},
          {id: `restart/${actorId}`, delay: restartDelay({[actorId]: crashes[actorId]})},
        )
    }),
    forgive: assign(({context}, {part}: {part: ToolPart}) => ({crashes: forgive(context.crashes, part)})),
    /** Port: a part broke. Written to the log, never swallowed. */
    logCrash: (_, _crash: {actorId: string; error: unknown}) => unfilledAction('logCrash'),
  },
})
