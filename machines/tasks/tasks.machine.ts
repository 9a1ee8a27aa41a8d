import {assign, enqueueActions, setup, type ActorLogic, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {logicPort} from '#machines/lib/ports.ts'
import type {ToolSnapshot} from '#machines/tool/tool.machine.ts'
import {toolId, type ToolEvent, type ToolOwner} from '#machines/tool/tool.types.ts'
import type {TasksContext, TasksEvent, TasksInput} from './tasks.types.ts'

/** Any tool (`createToolMachine`), which knows the rest of its input by its id. */
export type ToolLogic = ActorLogic<ToolSnapshot, ToolEvent, ToolOwner & {tool: string}>

type ForTool = {tool: string; event?: ToolEvent}

const tasksSetup = setup({
  types: {input: {} as TasksInput, context: {} as TasksContext, events: {} as TasksEvent},
  actors: {tool: logicPort<ToolLogic>('tool')},
  actions: {
    /** Each of these tools is in use from now on, and told its event. */
    use: enqueueActions(({enqueue, context, self, system}, {tools}: {tools: ForTool[]}) => {
      const {session, environment, userId, host} = context
      for (const {tool, event} of tools) {
        const id = toolId(tool)
        const input = {parentRef: self, session, environment, userId, host, tool}
        if (system.get(id) === undefined) enqueue.spawnChild('tool', {id, systemId: id, input})
        if (event !== undefined) enqueue.sendTo(id, event)
      }
      enqueue.assign({tools: [...new Set([...context.tools, ...tools.map(({tool}) => tool)])]})
    }),
    tellAll: enqueueActions(({enqueue, context}, {event}: {event: ToolEvent}) => {
      for (const tool of context.tools) enqueue.sendTo(toolId(tool), event)
    }),
    storeRunning: assign(({context}, {tool, running}: {tool: string; running: number}) => ({
      running: {...context.running, [tool]: running},
    })),
  },
})

/**
 * The media tools in use of one user, and how much runs in each. Owned by `session`; ends with it. Each tool supervises
 * its own parts; a tool that breaks as a whole breaks this chart, which the session starts again.
 */
export const tasksMachine = tasksSetup.createMachine({
  id: 'tasks',
  context: ({input}) => ({...input, running: {}}),
  entry: [{type: 'use', params: ({context: {tools}}) => ({tools: tools.map((tool) => ({tool}))})}],
  on: {
    'tool.open': {
      actions: [{type: 'use', params: ({event: {tool, use}}) => ({tools: [{tool, event: {type: 'form.open', use}}]})}],
    },
    'tasks.found': {
      actions: [
        {
          type: 'use',
          params: ({event: {tools}}) => ({
            tools: tools.map(({tool, running: tasks}) => ({tool, event: {type: 'tasks.named', tasks}})),
          }),
        },
      ],
    },
    'task.submit': {
      actions: [{type: 'use', params: ({event}) => ({tools: [{tool: event.intent.tool, event}]})}],
    },
    // the other tools read their own credits: each resumes once its calls are paid
    'credits.added': {actions: [{type: 'tellAll', params: {event: {type: 'balance.check'}}}]},
    'credits.bought': {actions: [{type: 'tellAll', params: ({event}) => ({event})}]},
    'token.renewed': {actions: [{type: 'tellAll', params: ({event}) => ({event})}]},
    'applications.changed': {actions: [{type: 'tellAll', params: {event: {type: 'balance.check'}}}]},
    'list.changed': {actions: [{type: 'storeRunning', params: ({event}) => event}]},
  },
})

export type TasksActor = ActorRefFrom<typeof tasksMachine>
export type TasksSnapshot = SnapshotFrom<typeof tasksMachine>
