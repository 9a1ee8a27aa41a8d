import {stateIn, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {taskListSetup} from './task-list.setup.ts'

const partBroke = {actions: [{type: 'breakDown', params: ({event}: {event: {error: unknown}}) => event}]} as const

const ofOutput = ({event}: {event: {output: string[]}}) => ({ids: event.output})

/** Reads the tasks that this browser kept, shown before the server answers; takes up running requests and deletions. */
const cache = taskListSetup.createStateConfig({
  initial: 'reading',
  states: {
    reading: {
      invoke: [
        {
          id: 'readDeletions',
          src: 'readDeletions',
          input: ({context: {ref}}) => ({ref}),
          onDone: [
            {
              guard: stateIn({setUp: 'ready'}),
              actions: [{type: 'resumeRemovals', params: ofOutput}, 'sendUnconfirmed', 'sync'],
            },
            {actions: [{type: 'resumeRemovals', params: ofOutput}, 'sync']},
          ],
          // they are sent by nobody then, and their tasks are there
          onError: {},
        },
        {
          id: 'readCached',
          src: 'readCached',
          input: ({context: {ref, userId}}) => ({ref, userId}),
          onDone: {
            target: 'read',
            actions: [
              {type: 'takeCached', params: ({event}) => event},
              {type: 'take', params: ({event}) => event.output},
              'sync',
            ],
          },
          // storage is a cache: without it the list is what the server has
          onError: {target: 'read'},
        },
      ],
      after: {cacheDeadline: {target: 'read'}},
    },
    read: {tags: ['cached']},
  },
})

/** Whether calls can be made, as the tool's provisioning says. Parts of the list read it here. */
const setUp = taskListSetup.createStateConfig({
  initial: 'settling',
  on: {
    'provision.ready': {
      target: '.ready',
      actions: ['sync', {type: 'passSetUp', params: {type: 'provision.ready'}}, 'sendUnconfirmed'],
    },
    'provision.missing': {
      target: '.missing',
      actions: ['sync', {type: 'passSetUp', params: {type: 'provision.missing'}}],
    },
  },
  states: {
    settling: {},
    ready: {tags: ['ready']},
    missing: {
      tags: ['missing'],
      // set-up is retried first; polling then resumes
      on: {'task.check': {actions: ['checkBalance']}},
    },
  },
})

/** The poller of running tasks, started again when it broke (security R59). */
const poll = taskListSetup.createStateConfig({
  initial: 'running',
  states: {
    running: {
      invoke: {
        id: 'taskPoll',
        src: 'taskPoll',
        input: ({context: {ref, userId, environment}, self}) => ({ref, userId, environment, parentRef: self}),
        onError: {target: 'broken', actions: ['sync']},
      },
      on: {
        'running.changed': [{guard: stateIn({setUp: 'ready'}), actions: ['watch']}, {actions: ['watchNothing']}],
        'task.check': {
          actions: [
            {type: 'ungone', params: ({event}) => event},
            'sync',
            {type: 'passToPoll', params: {event: {type: 'tasks.check'}}},
          ],
        },
        // the poller gets the tasks of the other tab before it gets new ones
        'peer.polled': [
          {
            guard: {type: 'isLost', params: ({event}) => event},
            target: '.lost',
            actions: [{type: 'passToPoll', params: ({event}) => ({event})}],
          },
          {target: '.heard', actions: [{type: 'passToPoll', params: ({event}) => ({event})}]},
        ],
        // an answer proves contact, also after another tab or a broken poller reported none
        'tasks.polled': {target: '.heard', actions: [{type: 'take', params: ({event}) => event}, 'sync']},
        'contact.lost': {target: '.lost', actions: ['sync']},
      },
      initial: 'heard',
      states: {
        heard: {},
        // running tasks cannot be polled: their cards show an old state
        lost: {tags: ['lost']},
      },
    },
    broken: {
      tags: ['lost'],
      after: {restartDelay: {target: 'running.lost', actions: ['sync']}},
      on: {'task.check': {target: 'running.lost', actions: [{type: 'ungone', params: ({event}) => event}, 'sync']}},
    },
  },
})

/** Reports of the other tabs. Optional: without them this tab polls for itself. */
const peers = taskListSetup.createStateConfig({
  initial: 'listening',
  states: {
    listening: {
      invoke: {
        id: 'peers',
        src: 'peers',
        input: ({context: {ref, userId}}) => ({ref, userId}),
        onError: {target: 'unavailable'},
        onDone: {target: 'unavailable'},
      },
      on: {
        'peer.polled': {
          actions: [
            {type: 'take', params: ({event}) => event},
            {type: 'storeGone', params: ({event}) => ({ids: event.gone})},
            'sync',
          ],
        },
      },
    },
    unavailable: {after: {restartDelay: {target: 'listening'}}},
  },
})

/**
 * The tasks of one tool and user (spec §3, §4): ascending by time, with the server's count. Cached tasks are shown at
 * once.
 *
 * Its parts each do one thing and send what they read: `pages`, `days`, `lookup` and `favourites` read from the server,
 * `requests` holds requests that have no task yet, `taskPoll` asks for running tasks, a `removal` deletes one. Owned by
 * its tool, not by the screen: leaving it stops nothing. Times of tasks in unix seconds, delays in milliseconds.
 */
export const taskListMachine = taskListSetup.createMachine({
  id: 'taskList',
  context: ({input}) => ({...input, items: [], total: 0, gone: [], removing: [], unconfirmed: [], removed: []}),
  invoke: [
    environmentInvoke,
    {
      id: 'pages',
      src: 'pages',
      input: ({context: {ref, userId, environment}, self}) => ({list: self, ref, userId, environment}),
      onError: partBroke,
    },
    {
      id: 'days',
      src: 'days',
      input: ({context: {ref, userId}, self}) => ({list: self, ref, userId}),
      onError: partBroke,
    },
    {
      id: 'lookup',
      src: 'lookup',
      input: ({context: {ref, userId, session}, self}) => ({list: self, ref, userId, session}),
      onError: partBroke,
    },
    {
      id: 'favourites',
      src: 'favourites',
      input: ({context: {ref, userId}, self}) => ({list: self, ref, userId}),
      onError: partBroke,
    },
    {
      id: 'requests',
      src: 'requests',
      input: ({context: {ref, userId, environment}, self}) => ({list: self, ref, userId, environment}),
      onError: partBroke,
    },
  ],
  type: 'parallel',
  on: {
    'tasks.read': {
      actions: [{type: 'take', params: ({event}) => event}, {type: 'storeTotal', params: ({event}) => event}, 'sync'],
    },
    'task.select': {actions: [{type: 'select', params: ({event}) => event}]},
    'requests.changed': {actions: ['sync']},
    'request.joined': {actions: [{type: 'join', params: ({event}) => event}, 'checkBalance', 'sync']},
    'request.lost': {actions: ['readAgain']},
    'request.waiting': {actions: ['checkBalance']},
    'tasks.gone': {
      actions: [
        {type: 'storeGone', params: ({event}) => event},
        {type: 'showGone', params: ({event}) => event},
        'sync',
      ],
    },
    'task.remove': {
      guard: {type: 'isListed', params: ({event}) => event},
      actions: [{type: 'remove', params: ({event}) => event}, 'sync'],
    },
    'removal.undone': {actions: [{type: 'showAgain', params: ({event}) => event}, 'sync']},
    'removal.done': {actions: [{type: 'forget', params: ({event}) => event}, 'sync']},
    'removal.failed': {
      actions: [
        {type: 'showAgain', params: ({event}) => event},
        {
          type: 'show',
          params: ({event: {key, failure}}) => ({type: 'task.removeFailed' as const, id: key, failure}),
        },
        'sync',
      ],
    },
    'page.leaving': {actions: ['flushRemovals']},
    'xstate.error.actor.*': {actions: [{type: 'callOff', params: ({event}) => event}, 'sync']},
  },
  states: {cache, setUp, poll, peers},
})

export type TaskListActor = ActorRefFrom<typeof taskListMachine>
export type TaskListSnapshot = SnapshotFrom<typeof taskListMachine>
