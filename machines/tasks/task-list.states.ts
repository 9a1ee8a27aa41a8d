import {timeout} from '#machines/lib/timeout.ts'
import {missingFavourites} from './task-list.rules.ts'
import {taskListSetup} from './task-list.setup.ts'

/* The regions of the list of one tool. */

const noToken = {error: {code: 'not_applied', detail: 'no token'}}

/** What this browser kept, shown before the server answers; requests that were on their way are taken up. */
export const cache = taskListSetup.createStateConfig({
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
export const page = taskListSetup.createStateConfig({
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
export const older = taskListSetup.createStateConfig({
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

/** What was asked for between two times (a history's days), page by page, wherever the list's own pages are. */
export const days = taskListSetup.createStateConfig({
  initial: 'none',
  on: {
    'tasks.find': [
      {guard: 'isReady', target: '.loading', actions: [{type: 'storeDays', params: ({event}) => event}]},
      {guard: 'isMissing', target: '.failed', actions: [{type: 'storeDays', params: ({event}) => event}]},
      {target: '.waiting', actions: [{type: 'storeDays', params: ({event}) => event}]},
    ],
  },
  states: {
    none: {},
    waiting: {
      tags: ['loadingDays'],
      description: 'The tool is still being set up: the days are read once it is.',
      after: {setUpDeadline: {target: 'failed'}},
      on: {'provision.ready': {target: 'loading'}, 'provision.missing': {target: 'failed'}},
    },
    loading: {
      tags: ['loadingDays'],
      invoke: {
        id: 'retrieveDays',
        src: 'retrieveTasks',
        input: ({context: {ref, userId, days: asked}}) => ({
          ref,
          userId,
          createdAtMin: asked?.from,
          createdAtMax: asked?.to,
        }),
        onDone: {
          target: 'found',
          actions: [
            {type: 'storeDaysPage', params: ({event}) => event},
            {type: 'take', params: ({event}) => event.output},
            'sync',
          ],
        },
        onError: {target: 'failed'},
      },
      after: {callDeadline: {target: 'failed'}},
    },
    found: {on: {'tasks.findMore': {guard: 'hasMoreDays', target: 'loading'}}},
    failed: {
      on: {
        'provision.ready': {target: 'loading'},
        'tasks.findMore': [
          {guard: 'isReady', target: 'loading'},
          {guard: 'isMissing', target: 'failed'},
          {target: 'waiting'},
        ],
      },
    },
  },
})

/** A task that the person went to, wherever in the server's list it is. */
export const finding = taskListSetup.createStateConfig({
  initial: 'none',
  on: {
    'task.find': {
      guard: {type: 'mayFind', params: ({event}) => event},
      target: '.asking',
      actions: [{type: 'storeWanted', params: ({event}) => event}],
    },
    'task.reread': {
      guard: 'isReady',
      target: '.asking',
      actions: [{type: 'storeWanted', params: ({event}) => event}],
    },
  },
  states: {
    none: {},
    asking: {
      invoke: {
        id: 'retrieveTask',
        src: 'retrieveTask',
        input: ({context: {ref, wanted = ''}}) => ({ref, id: wanted}),
        onDone: {
          target: 'none',
          actions: [{type: 'take', params: ({event}) => ({records: [event.output]})}, 'sync'],
        },
        onError: {target: 'none', actions: [{type: 'tellUnfound', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'none', actions: [{type: 'tellUnfound', params: timeout}]}},
    },
  },
})

/** Marked tasks that lie before what is listed, asked for when the person looks at favourites. */
export const favourites = taskListSetup.createStateConfig({
  initial: 'none',
  states: {
    none: {on: {'favourites.find': {guard: 'lacksFavourites', target: 'asking'}}},
    asking: {
      invoke: {
        id: 'retrieveNamed',
        src: 'retrieveNamed',
        input: ({context}) => ({ref: context.ref, ids: missingFavourites(context)}),
        onDone: {
          target: 'none',
          actions: [
            {type: 'take', params: ({event}) => event.output},
            {type: 'dropFavourites', params: ({event}) => event.output},
            'sync',
          ],
        },
        // those that are listed are shown, and the next look asks again
        onError: {target: 'none'},
      },
      after: {callDeadline: {target: 'none'}},
    },
  },
})

/** The poller, started again when it broke (security R59). */
export const poll = taskListSetup.createStateConfig({
  initial: 'running',
  states: {
    running: {
      entry: ['startPolling'],
      exit: ['endPolling'],
      invoke: {
        id: 'taskPoll',
        src: 'taskPoll',
        input: ({context: {ref, userId, watched, isHidden, isOnline}}) => ({ref, userId, watched, isHidden, isOnline}),
        onError: {target: 'broken', actions: [{type: 'storeLost', params: {isLost: true}}, 'sync']},
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
export const peers = taskListSetup.createStateConfig({
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
export const surroundings = taskListSetup.createStateConfig({
  on: {
    'provision.ready': {
      actions: ['storeReady', 'sync', {type: 'passToRequests', params: ({event}) => ({event})}],
    },
    'provision.missing': {actions: ['storeMissing', 'sync']},
    // the person came back, perhaps from where credits are bought
    'tasks.open': {actions: [{type: 'passToRequests', params: {event: {type: 'credits.look'}}}]},
    'connection.restored': {
      actions: [
        {type: 'storeOnline', params: {isOnline: true}},
        {type: 'passOn', params: ({event}) => ({event})},
        {type: 'passToRequests', params: ({event}) => ({event})},
      ],
    },
  },
})
