import {assign, enqueueActions, setup} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import {isSameData} from '#domain/same-data.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {restartDelay, supervision} from '#machines/lib/supervision.ts'
import {taskListMachine, type TaskListActor, type TaskListSnapshot} from './task-list.machine.ts'
import {
  taskListId,
  type SetUp,
  type StoredTool,
  type TaskListEvent,
  type TaskListFact,
  type TaskListInput,
  type TasksContext,
  type TasksEvent,
  type TasksInput,
  type ToolRef,
} from './tasks.types.ts'

const toolOf = (actorId: string) => actorId.slice(actorId.indexOf('/') + 1)
const restartId = (tool: string) => `restart/${tool}`
const refOf = ({refs}: TasksContext, tool: string) => refs.find((ref) => ref.tool === tool)

type Starting = Pick<TasksContext, 'userId' | 'setUps' | 'isHidden' | 'isOnline'>

const listInput = (context: Starting, ref: ToolRef, stored: StoredTool | undefined): TaskListInput => ({
  userId: context.userId,
  ref,
  intents: stored?.intents,
  ...(stored === undefined ? {} : {restored: {items: stored.items, total: stored.total, active: stored.active}}),
  setUp: context.setUps[ref.serviceId] ?? 'settling',
  isHidden: context.isHidden,
  isOnline: context.isOnline,
})

/** What a list that broke leaves behind for the next one. */
const remainsOf = ({context: {ref, items, total, active, pending}}: TaskListSnapshot): StoredTool => ({
  ref,
  items,
  total,
  active,
  intents: pending.map(({state: _, failure: __, ...intent}) => intent),
})

/** Children, guards and actions of all lists. */
export const tasksSetup = setup({
  types: {input: {} as TasksInput, context: {} as TasksContext, events: {} as TasksEvent, tags: {} as 'busy'},
  actors: {taskList: taskListMachine},
  guards: {
    isRunning: ({context}) => Object.values(context.tray).some((entries) => entries.length > 0),
    isQuiet: ({context}) => Object.values(context.tray).every((entries) => entries.length === 0),
    isNew: ({context}, {ref}: {ref: ToolRef}) => refOf(context, ref.tool) === undefined,
  },
  actions: {
    startRestored: enqueueActions(({enqueue, context}, {restored}: {restored: StoredTool[]}) => {
      for (const stored of restored) {
        const id = taskListId(stored.ref.tool)
        enqueue.spawnChild('taskList', {id, systemId: id, input: listInput(context, stored.ref, stored)})
      }
    }),
    start: enqueueActions(({enqueue, context}, {ref, restored}: {ref: ToolRef; restored?: StoredTool}) => {
      const id = taskListId(ref.tool)
      enqueue.spawnChild('taskList', {id, systemId: id, input: listInput(context, ref, restored)})
      enqueue.assign({refs: [...context.refs, ref]})
    }),
    restart: enqueueActions(({enqueue, context}, {tool}: {tool: string}) => {
      const ref = refOf(context, tool)
      if (ref === undefined) return
      const id = taskListId(tool)
      enqueue.spawnChild('taskList', {id, systemId: id, input: listInput(context, ref, context.remains[tool])})
      enqueue.assign({remains: {...context.remains, [tool]: undefined}})
    }),
    /** To the list of one tool, if it runs. */
    pass: enqueueActions(({enqueue, system}, {tool, event}: {tool: string; event: TaskListEvent}) => {
      const list = findActor<TaskListActor>(system, taskListId(tool))
      if (list !== undefined) enqueue.sendTo(list, event)
    }),
    passToAll: enqueueActions(({enqueue, context, system}, {event}: {event: TaskListEvent}) => {
      for (const {tool} of context.refs) {
        const list = findActor<TaskListActor>(system, taskListId(tool))
        if (list !== undefined) enqueue.sendTo(list, event)
      }
    }),
    storeSetUp: enqueueActions(({enqueue, context, system}, told: {serviceId: string; setUp: SetUp}) => {
      const {serviceId, setUp} = told
      enqueue.assign({setUps: {...context.setUps, [serviceId]: setUp}})
      for (const ref of context.refs) {
        const list = findActor<TaskListActor>(system, taskListId(ref.tool))
        if (ref.serviceId === serviceId && list !== undefined)
          enqueue.sendTo(list, {type: setUp === 'ready' ? 'provision.ready' : 'provision.missing'})
      }
    }),
    storeTray: assign(({context}, {tool, tray}: Omit<Extract<TaskListFact, {type: 'list.changed'}>, 'type'>) =>
      isSameData(context.tray[tool], tray) ? {} : {tray: {...context.tray, [tool]: tray}},
    ),
    storeHidden: assign((_, {isHidden}: {isHidden: boolean}) => ({isHidden})),
    storeOnline: assign((_, {isOnline}: {isOnline: boolean}) => ({isOnline})),
    /** The session shows notices and refreshes balances. */
    tell: enqueueActions(({enqueue, self}, {fact}: {fact: TaskListFact}) => {
      if (self._parent !== undefined) enqueue.sendTo(self._parent, fact)
    }),
    /** A list broke: its siblings live on, and it is started again after a while (security R59). */
    keepRemains: enqueueActions(({enqueue, context, self}, {actorId, error}: {actorId: string; error: unknown}) => {
      const tool = toolOf(actorId)
      if (actorId !== taskListId(tool)) return
      const count = (context.crashes[tool]?.count ?? 0) + 1
      const crash = {count, failure: toFailure(error)}
      // as: the only children are lists
      const dead = self.getSnapshot().children[actorId]?.getSnapshot() as TaskListSnapshot | undefined
      enqueue.stopChild(actorId)
      enqueue.assign({
        crashes: {...context.crashes, [tool]: crash},
        remains: {...context.remains, [tool]: dead && remainsOf(dead)},
      })
      if (count <= supervision.restarts)
        enqueue.raise({type: 'list.restart', tool}, {id: restartId(tool), delay: restartDelay({[tool]: crash})})
    }),
    clearRemains: assign({remains: {}}),
    forgive: assign(({context}, {tool}: {tool: string}) => ({crashes: {...context.crashes, [tool]: undefined}})),
    /** Port: a list broke. Written to the log, never swallowed. */
    logCrash: (_, _crash: {actorId: string; error: unknown}) => {},
  },
})
