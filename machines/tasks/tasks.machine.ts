import type {ActorRefFrom, SnapshotFrom} from 'xstate'
import {tasksSetup, unusedOf} from './tasks.setup.ts'

/**
 * The media tools of one user: for each tool that is used or has something on its way its set-up and its list of tasks,
 * for each whose screen was opened its form, and the tray of what runs over all of them. Owned by `session`; ends with it. A part that breaks leaves the others
 * alone, is started again at most three times, and then waits for the user.
 */
export const tasksMachine = tasksSetup.createMachine({
  id: 'tasks',
  context: ({input: {tools, ...input}}) => ({...input, tools, setUps: {}, running: {}, crashes: {}}),
  entry: [
    {type: 'start', params: ({context}) => ({tools: context.tools})},
    {type: 'name', params: ({context}) => ({tools: context.tools})},
  ],
  on: {
    'tool.use': {
      guard: {type: 'isNew', params: ({event}) => event},
      actions: [{type: 'start', params: ({event: {ref, provision}}) => ({tools: [{ref, provision}]})}],
    },
    'tasks.found': {
      actions: [
        {type: 'start', params: ({context, event: {tools}}) => ({tools: unusedOf(context, tools)})},
        {type: 'name', params: ({event: {tools}}) => ({tools})},
      ],
    },
    'form.open': {actions: [{type: 'openForm', params: ({event}) => event}]},
    'selection.open': {actions: [{type: 'openSelection', params: ({event}) => event}]},
    'task.submit': {actions: [{type: 'passToRequests', params: ({event}) => ({tool: event.intent.tool, event})}]},
    'provision.ready': {
      actions: [{type: 'storeSetUp', params: ({event: {serviceId}}) => ({serviceId, setUp: 'ready' as const})}],
    },
    'provision.missing': {
      actions: [{type: 'storeSetUp', params: ({event: {serviceId}}) => ({serviceId, setUp: 'missing' as const})}],
    },
    'application.applied': {actions: [{type: 'tell', params: ({event}) => ({fact: event})}]},
    'application.present': {actions: [{type: 'tell', params: ({event}) => ({fact: event})}]},
    'applications.changed': {actions: ['refreshSetUps']},
    'credits.added': {actions: [{type: 'passToRequests', params: ({event}) => ({event})}]},
    'setUp.missed': {actions: [{type: 'refreshBalance', params: ({event}) => event}]},
    'credits.missed': {actions: [{type: 'refreshBalance', params: ({event}) => event}]},
    'list.changed': {actions: [{type: 'storeRunning', params: ({event}) => event}]},
    'task.settled': {
      actions: [
        {type: 'refreshBalance', params: ({event}) => event},
        {type: 'tell', params: ({event}) => ({fact: event})},
      ],
    },
    'task.gone': {actions: [{type: 'tell', params: ({event}) => ({fact: event})}]},
    'task.unfound': {actions: [{type: 'tell', params: ({event}) => ({fact: event})}]},
    'task.removed': {actions: [{type: 'tell', params: ({event}) => ({fact: event})}]},
    'task.removeFailed': {actions: [{type: 'tell', params: ({event}) => ({fact: event})}]},
    'submission.accepted': {
      actions: [
        {type: 'refreshBalance', params: ({event}) => event},
        {type: 'tell', params: ({event}) => ({fact: event})},
      ],
    },
    'part.restart': {actions: [{type: 'restart', params: ({event}) => event}]},
    'part.revive': {
      actions: [
        {type: 'forgive', params: ({event}) => event},
        {type: 'restart', params: ({event}) => event},
      ],
    },
    'xstate.error.actor.*': {
      actions: [
        {type: 'logCrash', params: ({event}) => event},
        {type: 'restartLater', params: ({event}) => event},
      ],
    },
  },
})

export type TasksActor = ActorRefFrom<typeof tasksMachine>
export type TasksSnapshot = SnapshotFrom<typeof tasksMachine>
