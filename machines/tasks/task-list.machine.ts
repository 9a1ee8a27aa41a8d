import {type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {timeout} from '#machines/lib/timeout.ts'
import {pendingOf} from './task-list.rules.ts'
import {taskListSetup} from './task-list.setup.ts'

const noToken = {error: {code: 'not_applied', detail: 'no token'}}

/** What this browser kept, shown before the server answers; requests that were on their way are taken up. */
const cache = taskListSetup.createStateConfig({
  initial: 'reading',
  states: {
    reading: {
      invoke: {
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
      after: {cacheDeadline: {target: 'read'}},
    },
    read: {tags: ['cached']},
  },
})

/** The newest page: states are the specification's request status (spec §4). */
const page = taskListSetup.createStateConfig({
  initial: 'none',
  states: {
    none: {on: {'tasks.open': {target: 'opening'}, 'tasks.refresh': {target: 'opening'}}},
    opening: {
      always: [
        {guard: 'isReady', target: 'request'},
        {guard: 'isMissing', target: 'error', actions: [{type: 'storeFailure', params: noToken}]},
        {target: 'waiting'},
      ],
    },
    waiting: {
      tags: ['loading'],
      description: 'The tool is still being set up.',
      after: {setUpDeadline: {target: 'error', actions: [{type: 'storeFailure', params: noToken}]}},
      on: {
        'provision.ready': {target: 'request'},
        'provision.missing': {target: 'error', actions: [{type: 'storeFailure', params: noToken}]},
      },
    },
    request: {
      tags: ['loading'],
      invoke: {
        id: 'retrieveTasks',
        src: 'retrieveTasks',
        input: ({context: {ref, userId}}) => ({ref, userId}),
        onDone: {
          target: 'success',
          actions: [
            {type: 'take', params: ({event}) => event.output},
            {type: 'storePage', params: ({event}) => event},
            'sync',
          ],
        },
        onError: [
          {guard: {type: 'needsCredential', params: ({event}) => event}, target: 'renewing'},
          {target: 'error', actions: [{type: 'storeFailure', params: ({event}) => event}]},
        ],
      },
      after: {callDeadline: {target: 'error', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    renewing: {
      tags: ['loading'],
      description: 'The AI host refused the credential: provisioning makes a new one, once for a page.',
      invoke: {
        id: 'renewCredential',
        src: 'renewCredential',
        input: ({context: {ref}}) => ({ref}),
        onDone: {target: 'repeating'},
        onError: {target: 'error', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'error', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    repeating: {
      tags: ['loading'],
      invoke: {
        id: 'retrieveAgain',
        src: 'retrieveTasks',
        input: ({context: {ref, userId}}) => ({ref, userId}),
        onDone: {
          target: 'success',
          actions: [
            {type: 'take', params: ({event}) => event.output},
            {type: 'storePage', params: ({event}) => event},
            'sync',
          ],
        },
        onError: {target: 'error', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'error', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    success: {on: {'tasks.open': {target: 'opening'}, 'tasks.refresh': {target: 'opening'}}},
    error: {
      on: {
        'tasks.open': {target: 'opening'},
        'tasks.refresh': {target: 'opening'},
        'provision.ready': {target: 'request'},
        'connection.restored': {target: 'opening'},
      },
    },
  },
})

/**
 * Pages before the range that is known without a hole, on demand. What the cache shows already is read again on the way:
 * a press goes on until a page shows something new.
 */
const older = taskListSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: {on: {'tasks.older': {guard: 'mayReadOlder', target: 'loading'}}},
    loading: {
      tags: ['loadingOlder'],
      invoke: {
        id: 'retrieveOlder',
        src: 'retrieveTasks',
        input: ({context: {ref, userId, range}}) => ({ref, userId, createdAtMax: range?.from}),
        onDone: [
          {
            guard: {type: 'isBarren', params: ({event}) => event},
            target: 'loading',
            reenter: true,
            actions: [
              {type: 'storeOlderPage', params: ({event}) => event},
              {type: 'take', params: ({event}) => event.output},
              'sync',
            ],
          },
          {
            target: 'idle',
            actions: [
              {type: 'storeOlderPage', params: ({event}) => event},
              {type: 'take', params: ({event}) => event.output},
              'sync',
            ],
          },
        ],
        onError: {target: 'failed', actions: [{type: 'storeOlderFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'storeOlderFailure', params: timeout}]}},
    },
    failed: {on: {'tasks.older': {guard: 'mayReadOlder', target: 'loading'}}},
  },
})

/** The poller, started again when it broke (security R59). */
const poll = taskListSetup.createStateConfig({
  initial: 'running',
  states: {
    running: {
      entry: ['startPolling'],
      exit: ['endPolling'],
      invoke: {
        id: 'taskPoll',
        src: 'taskPoll',
        input: ({context: {ref, userId, watched, isHidden, isOnline}}) => ({ref, userId, watched, isHidden, isOnline}),
        onError: {target: 'broken', actions: [{type: 'storeLost', params: {isLost: true}}]},
      },
      on: {'task.check': {actions: [{type: 'ungone', params: ({event}) => event}, 'sync', 'askNow']}},
    },
    broken: {
      after: {restartDelay: {target: 'running'}},
      on: {'task.check': {target: 'running', actions: [{type: 'ungone', params: ({event}) => event}, 'sync']}},
    },
  },
})

/** Word from the other tabs. A browser without it loses nothing but the word. */
const peers = taskListSetup.createStateConfig({
  initial: 'listening',
  states: {
    listening: {
      invoke: {
        id: 'peers',
        src: 'peers',
        input: ({context: {ref, userId}}) => ({ref, userId}),
        onError: {target: 'deaf'},
        onDone: {target: 'deaf'},
      },
    },
    deaf: {after: {restartDelay: {target: 'listening'}}},
  },
})

/**
 * What is told to the list while another region may be waiting for it. A region of its own: an event that any region takes
 * never reaches the handlers of the whole machine.
 */
const surroundings = taskListSetup.createStateConfig({
  on: {
    'provision.ready': {actions: ['storeReady', 'sync', 'retryUnprovisioned']},
    'provision.missing': {actions: ['storeMissing', 'sync']},
    'connection.restored': {actions: [{type: 'storeOnline', params: {isOnline: true}}, 'passOn']},
  },
})

/**
 * The tasks of one tool and person (spec §3, §4): the list ascending by time with the server's count, requests that
 * have no task yet, and what runs. Cached tasks are shown at once and read again when a screen opens. Owned by `tasks`,
 * not by the screen: leaving it stops nothing. Times of tasks in unix seconds, delays in milliseconds.
 */
export const taskListMachine = taskListSetup.createMachine({
  id: 'taskList',
  context: ({input}) => ({
    items: [],
    total: 0,
    pending: [],
    keys: {},
    gone: [],
    removing: [],
    removed: [],
    hasOlder: false,
    isLost: false,
    resting: [],
    clicks: [],
    isPolling: false,
    tray: [],
    watched: [],
    ...input,
  }),
  type: 'parallel',
  on: {
    'task.select': {actions: [{type: 'select', params: ({event}) => event}]},
    'task.submit': [
      {
        guard: {type: 'isRepeatedClick', params: ({event}) => event},
        actions: [{type: 'repeatClick', params: ({event}) => event}],
      },
      {
        guard: {type: 'isNewKey', params: ({event}) => event},
        actions: [{type: 'send', params: ({event}) => event}, 'sync'],
      },
    ],
    'click.settled': {actions: [{type: 'forgetClick', params: ({event}) => event}]},
    'submission.retry': {
      guard: {type: 'isPending', params: ({event}) => event},
      actions: [{type: 'retry', params: ({event}) => event}],
    },
    'submission.discard': {
      guard: {type: 'isPending', params: ({event}) => event},
      actions: [
        {type: 'discard', params: ({event}) => event},
        {type: 'forgetIntents', params: ({event}) => ({keys: [event.key]})},
        'sync',
      ],
    },
    'submission.reported': [
      {
        guard: {type: 'isLooking', params: ({event}) => event},
        actions: [{type: 'storeReport', params: ({event}) => event}, 'sync', 'readAgain'],
      },
      {
        guard: {type: 'isNews', params: ({event}) => event},
        actions: [
          {type: 'storeReport', params: ({event}) => event},
          {type: 'keepIntent', params: ({context, event}) => ({kept: pendingOf(context, event.key)})},
          'sync',
        ],
      },
    ],
    'submission.joined': {
      actions: [
        {type: 'join', params: ({event}) => event},
        {type: 'forgetIntents', params: ({event}) => ({keys: [event.key]})},
        'sync',
      ],
    },
    'submissions.found': {actions: [{type: 'forgetIntents', params: ({event}) => event}]},
    'tasks.polled': {actions: [{type: 'take', params: ({event}) => event}, 'sync']},
    'tasks.gone': {
      actions: [
        {type: 'storeGone', params: ({event}) => event},
        {type: 'tellGone', params: ({event}) => event},
        'sync',
      ],
    },
    'contact.lost': {actions: [{type: 'storeLost', params: {isLost: true}}]},
    'contact.restored': {actions: [{type: 'storeLost', params: {isLost: false}}]},
    'peer.polled': {
      actions: [
        {type: 'take', params: ({event}) => event},
        {type: 'storeLost', params: ({event}) => event},
        'sync',
        'passOn',
      ],
    },
    'task.remove': {
      guard: {type: 'isListed', params: ({event}) => event},
      actions: [{type: 'remove', params: ({event}) => event}, 'sync'],
    },
    'task.restore': {
      guard: {type: 'isRemoving', params: ({event}) => event},
      actions: [{type: 'undoRemoval', params: ({event}) => event}],
    },
    'removal.undone': {actions: [{type: 'showAgain', params: ({event}) => event}, 'sync']},
    'removal.done': {actions: [{type: 'forget', params: ({event}) => event}, 'sync']},
    'removal.failed': {
      actions: [
        {type: 'showAgain', params: ({event}) => event},
        {type: 'tellRemoveFailed', params: ({event}) => event},
        'sync',
      ],
    },
    'credits.added': {actions: ['retryUsedUp']},
    'page.hidden': {actions: [{type: 'storeHidden', params: {isHidden: true}}, 'passOn']},
    'page.shown': {actions: [{type: 'storeHidden', params: {isHidden: false}}, 'passOn']},
    'page.leaving': {actions: ['flushRemovals']},
    'connection.lost': {actions: [{type: 'storeOnline', params: {isOnline: false}}, 'passOn']},
    'xstate.error.actor.*': {actions: [{type: 'dropChild', params: ({event}) => event}, 'sync']},
  },
  states: {surroundings, cache, page, older, poll, peers},
})

export type TaskListActor = ActorRefFrom<typeof taskListMachine>
export type TaskListSnapshot = SnapshotFrom<typeof taskListMachine>
