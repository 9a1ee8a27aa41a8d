import type {ActorRefFrom} from 'xstate'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {answerFeedSetup, carriedAfter, question} from './answer-feed.setup.ts'
import type {AnswerFeedContext} from './answer-feed.types.ts'

const ask = {type: 'sendToPeers', params: ({context}: {context: AnswerFeedContext}) => question(context)} as const

/**
 * This tab holds the stream for all tabs of the browser. Each opening delivers all running answers from their start.
 */
const leading = answerFeedSetup.createStateConfig({
  tags: ['leading'],
  exit: ['forgetCarried'],
  initial: 'streaming',
  on: {
    'leader.lost': {target: 'following', actions: [ask]},
    'peer.asked': {
      guard: {type: 'hasCarried', params: ({event}) => event},
      actions: [
        {
          type: 'sendToPeers',
          params: ({context, event}) => ({type: 'peer.reported', pieces: carriedAfter(context, event.answers)}),
        },
      ],
    },
    'answer.follow': {
      actions: [
        {type: 'storeFollow', params: ({event}) => event},
        {type: 'deliver', params: ({context}) => ({pieces: context.carried})},
      ],
    },
  },
  states: {
    streaming: {
      entry: ['forgetCarried'],
      invoke: {
        id: 'followStream',
        src: 'followStream',
        // the stream stays open until this tab leaves it: its end is a failure
        onDone: {target: 'failing'},
        onError: {target: 'failing'},
      },
      on: {
        'feed.connected': {
          target: '.listening',
          actions: ['forgiveFailures', 'emitOpened', {type: 'sendToPeers', params: {type: 'peer.opened'}}],
        },
        'feed.pinged': {target: '.listening'},
        'feed.received': {
          target: '.listening',
          actions: [
            {type: 'carry', params: ({event}) => event},
            {type: 'sendToPeers', params: ({event}) => ({type: 'peer.reported', pieces: event.pieces})},
            {type: 'deliver', params: ({event}) => event},
          ],
        },
      },
      initial: 'listening',
      states: {
        // entered again by each sign of life, which restarts the watch
        listening: {after: {silence: {target: '#answerFeed.active.leading.failing'}}},
      },
    },
    failing: {
      entry: ['countFailure', 'emitDisconnected', {type: 'sendToPeers', params: {type: 'peer.disconnected'}}],
      always: [{guard: 'isOffline', target: 'offline'}, {target: 'backingOff'}],
    },
    backingOff: {
      after: {feedBackoff: {target: 'streaming'}},
      on: {
        'connection.restored': {target: 'streaming'},
      },
    },
    offline: {
      // the browser says when it is back; now and then that is not believed
      after: {offlineDeadline: {target: 'streaming'}},
      on: {
        'connection.restored': {target: 'streaming'},
      },
    },
  },
})

/** Another tab holds the stream, or no tab has taken the lead yet. */
const following = answerFeedSetup.createStateConfig({
  on: {
    'peers.ready': {actions: [ask]},
    'leader.won': {target: 'leading'},
    'answer.follow': {actions: [{type: 'storeFollow', params: ({event}) => event}, ask]},
    'peer.opened': {actions: ['emitOpened', ask]},
    'peer.disconnected': {actions: ['emitDisconnected']},
    'peer.reported': [
      {
        guard: {type: 'isGap', params: ({event}) => event},
        actions: [{type: 'deliver', params: ({event}) => event}, ask],
      },
      {actions: [{type: 'deliver', params: ({event}) => event}]},
    ],
  },
})

/**
 * The running answers that conversations of this tab follow without a stream of their own. Owned by the list of
 * conversations; ends with it.
 *
 * All tabs of a user in a browser elect a leader: it holds one stream of all running answers and reports it to the
 * others. Deltas have sequence numbers, so each follower takes those after its own position once, from the stream or
 * from another tab. When the leader closes, the next tab in the queue leads; its stream begins at the start and lacks
 * the answers that ended in between, so followers look for those when the stream opens. A tab without followers sends
 * no request and does not queue for the lead.
 */
export const answerFeedMachine = answerFeedSetup.createMachine({
  id: 'answerFeed',
  context: ({input}) => ({
    ...input,
    follows: [],
    carried: [],
    failures: 0,
  }),
  invoke: environmentInvoke,
  initial: 'idle',
  on: {
    'answer.leave': {actions: [{type: 'dropFollow', params: ({event}) => event}]},
  },
  states: {
    idle: {
      always: {guard: 'isFollowing', target: 'active'},
      on: {'answer.follow': {actions: [{type: 'storeFollow', params: ({event}) => event}]}},
    },
    active: {
      always: {guard: 'isNothing', target: 'idle', actions: ['forgiveFailures']},
      invoke: [
        {
          id: 'leadership',
          src: 'leadership',
          input: ({context: {userId}}) => ({userId}),
          // a browser that cannot say who leads lets every tab lead
          onError: {target: '.leading'},
          onDone: {target: '.leading'},
        },
        {
          id: 'peers',
          src: 'peers',
          input: ({context: {userId}}) => ({userId}),
          // without messages of the others every follower looks for its answer itself
          onError: {},
        },
      ],
      initial: 'following',
      states: {following, leading},
    },
  },
})

export type AnswerFeedActor = ActorRefFrom<typeof answerFeedMachine>
