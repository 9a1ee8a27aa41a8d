import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {peerMessage, taskPollSetup} from './task-poll.setup.ts'
import type {PeerReport} from './task-poll.types.ts'

/** Between two questions: at once when the user or the network asks for it. */
const askAgain = {
  'tasks.check': {target: 'polling'},
  'connection.restored': {target: 'polling', actions: ['forgiveFailures']},
} as const

/** Asks one question for all running tasks, and the next one after its answer. */
const question = taskPollSetup.createStateConfig({
  initial: 'starting',
  states: {
    starting: {always: [{guard: 'isOffline', target: 'offline'}, {target: 'polling'}]},
    polling: {
      tags: ['asking'],
      entry: ['forgetRest'],
      invoke: {
        id: 'pollTasks',
        src: 'pollTasks',
        input: ({context: {ref, userId, watched}}) => ({ref, userId, ids: watched}),
        onDone: {
          target: 'waiting',
          actions: [
            {type: 'storePoll', params: ({event}) => event},
            {type: 'tellPoll', params: ({event}) => event},
            {type: 'sendToPeers', params: ({context, event}) => peerMessage(context, event.output)},
          ],
        },
        onError: {target: 'failing', actions: [{type: 'storeRest', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failing'}},
    },
    waiting: {
      after: {pollInterval: {target: 'polling'}},
      on: {
        'tasks.check': {target: 'polling'},
        'page.shown': {target: 'polling'},
        'connection.lost': {target: 'offline'},
        'page.hidden': {
          target: 'waiting',
          // the slow pace begins with the wait
          reenter: true,
          actions: [{type: 'sendToPeers', params: ({context}) => peerMessage(context)}],
        },
        'tasks.watch': {
          guard: {type: 'hasNew', params: ({event}) => event},
          target: 'waiting',
          // a new task is polled at the pace of a visible page, whatever interval older tasks had reached
          reenter: true,
          actions: [{type: 'storeWatch', params: ({event}) => event}, 'quicken'],
        },
      },
    },
    failing: {
      entry: ['countFailure'],
      always: [
        {guard: 'isOffline', target: 'offline'},
        {
          guard: 'isLost',
          target: 'backingOff',
          actions: ['tellLost', {type: 'sendToPeers', params: ({context}) => peerMessage(context, {isLost: true})}],
        },
        {target: 'backingOff', actions: [{type: 'sendToPeers', params: ({context}) => peerMessage(context)}]},
      ],
    },
    backingOff: {
      after: {pollBackoff: {target: 'starting'}},
      on: {...askAgain, 'connection.lost': {target: 'offline'}},
    },
    offline: {
      // the browser has no network
      entry: ['tellLost'],
      after: {offlineDeadline: {target: 'polling'}},
      on: askAgain,
    },
  },
})

/** Contact is lost with the network or after several failures, until the server answers. */
const contact = taskPollSetup.createStateConfig({
  initial: 'kept',
  states: {
    kept: {always: {guard: 'isLost', target: 'lost'}},
    lost: {tags: ['lost'], always: {guard: 'isAnswered', target: 'kept'}},
  },
})

/** This tab asks from now on, instead of the one that did. */
const claim = {
  target: ['#taskPoll.active.turn.outOfTurn', '#taskPoll.active.work.following'],
  reenter: true,
  actions: ['forgetPeer'],
} as const

type PeerAnswer = {event: PeerReport}
const storePeer = {type: 'storePeer', params: ({event}: PeerAnswer) => event} as const
const polled = [
  {guard: {type: 'isLeftOut', params: ({event}: PeerAnswer) => event}, target: 'leftOut', actions: [storePeer]},
  {
    guard: {type: 'isPeerHidden', params: ({event}: PeerAnswer) => event},
    target: 'behindHidden',
    reenter: true,
    actions: [storePeer],
  },
  {target: 'following', reenter: true, actions: [storePeer]},
] as const

/** Another tab polls for all, or no tab has taken the lead yet. */
const standingBy = taskPollSetup.createStateConfig({
  on: {
    'leader.won': {target: 'leading'},
    'peer.polled': [{guard: {type: 'isSleeping', params: ({event}) => event}, ...claim}, ...polled],
    'tasks.watch': {
      guard: {type: 'isUnasked', params: ({event}) => event},
      ...claim,
      actions: [{type: 'storeWatch', params: ({event}) => event}, 'forgetPeer'],
    },
    'tasks.check': claim,
  },
})

/** How this tab stands in the queue of the tabs. @param isClaiming whether it takes the lead, or waits for its turn */
const inLine = (isClaiming: boolean) =>
  taskPollSetup.createStateConfig({
    invoke: {
      id: 'leadership',
      src: 'leadership',
      input: ({context: {ref, userId}}) => ({ref, userId, isClaiming}),
      // a browser that cannot say which tab leads lets each one ask for itself
      onError: {actions: ['takeLead']},
      onDone: {actions: ['takeLead']},
    },
  })

/** Tasks run: this tab leads, or another one does. */
const active = taskPollSetup.createStateConfig({
  type: 'parallel',
  always: {guard: 'isNothing', target: 'idle', actions: ['forgiveFailures']},
  states: {
    turn: {
      initial: 'inTurn',
      states: {
        inTurn: inLine(false),
        outOfTurn: inLine(true),
      },
    },
    work: {
      initial: 'following',
      states: {
        following: {...standingBy, after: {silence: claim}},
        behindHidden: {
          // the tab that asks is not looked at: this one takes over once it is
          ...standingBy,
          on: {...standingBy.on, 'peer.polled': polled, 'page.shown': claim},
          after: {silence: claim},
        },
        leftOut: {
          // The tab that asks does not know a task of this one. Two that do not know of each other take turns.
          ...standingBy,
          after: {leftOutDelay: claim},
        },
        leading: {
          // this tab polls for all tabs of the browser
          tags: ['leading'],
          type: 'parallel',
          on: {'leader.lost': {target: 'following', actions: ['forgetPeer']}},
          states: {question, contact},
        },
      },
    },
  },
})

/**
 * Asks for the running tasks of one service and user (spec §4, security R47, R50, R53). Owned by the tool's list.
 *
 * Nothing runs: no request at all. Else one tab of the browser leads and asks, for the ids that run and no others; the
 * next question follows the answer to the last one. The other tabs hear the answers and wait for their turn; one that
 * is looked at takes over, out of turn, from a leader that is hidden or silent, and so does one with a task that the
 * leader does not know. Failures back off with jitter; five in a row are lost contact, which the user can check. A task
 * the server denies twice is gone. Times in milliseconds.
 */
export const taskPollMachine = taskPollSetup.createMachine({
  id: 'taskPoll',
  context: ({input}) => ({
    ...input,
    watched: [],
    failures: 0,
    leastRest: 0,
    age: 0,
    misses: {},
    peerNextIn: 0,
  }),
  invoke: environmentInvoke,
  initial: 'idle',
  on: {
    'tasks.watch': {actions: [{type: 'storeWatch', params: ({event}) => event}]},
  },
  states: {
    idle: {always: {guard: 'isWatching', target: 'active', actions: ['forgetPeer']}},
    active,
  },
})
