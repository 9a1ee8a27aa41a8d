import {pausing} from './conversation.pausing.ts'
import {retrieving} from './conversation.retrieving.ts'
import {answerInput} from './conversation.rules.ts'
import {conversationSetup} from './conversation.setup.ts'

/** The server says how an answer ended, on its own stream or on the shared one. */
export const heardEnd = conversationSetup.createStateConfig({
  on: {
    'answer.completed': {
      target: 'finished',
      actions: [
        {type: 'settleFinished', params: ({event}) => event},
        {type: 'reportChange', params: {phase: 'settled'}},
      ],
    },
    'answer.failed': {target: 'judging', actions: [{type: 'storeEnd', params: ({event}) => event}]},
  },
})

/**
 * The answer goes on at the server without a stream of its own: another page asked for it, or streams are few. Its
 * words come through the stream that the tabs of the browser share. Where there is none, or it stays silent, the answer
 * is looked for. `disconnected`: the shared stream broke or the server cannot be reached, and the page says so.
 */
export const following = conversationSetup.createStateConfig({
  tags: ['busy', 'streaming'],
  invoke: {
    id: 'followAnswer',
    src: 'followAnswer',
    input: ({context}) => answerInput(context),
    onError: {target: '.waiting'},
  },
  on: {
    'answer.stop': {target: 'stopping'},
    // the service is read again often, and mostly is as before: then the stream goes on
    'service.changed': [
      {
        guard: {type: 'beginsToFollow', params: ({event}) => event},
        target: 'following',
        reenter: true,
        actions: [{type: 'storeCapabilities', params: ({event}) => event}],
      },
      {actions: [{type: 'storeCapabilities', params: ({event}) => event}]},
    ],
    'answer.connected': {target: '.calling'},
    'answer.disconnected': {target: '.disconnected'},
    'answer.started': {
      guard: {type: 'isStart', params: ({event}) => event},
      actions: [{type: 'storeStart', params: ({event}) => event}],
    },
    'answer.received': [
      {
        guard: {type: 'isNext', params: ({event}) => event},
        target: '.hearing',
        actions: [{type: 'appendText', params: ({event}) => event}],
      },
      {guard: {type: 'isGap', params: ({event}) => event}, target: 'following', reenter: true},
    ],
    ...heardEnd.on,
  },
  initial: 'calling',
  states: {
    calling: {
      // what ended before the shared stream was opened is not in it: a short silence decides
      after: {callDelay: {target: 'retrieving'}},
    },
    hearing: {tags: ['writing'], after: {followDelay: {target: 'retrieving'}}},
    waiting: {after: {followDelay: {target: 'retrieving'}}},
    retrieving: retrieving({running: 'waiting', failed: 'disconnected.deciding'}),
    disconnected: {
      tags: ['reconnecting'],
      initial: 'waiting',
      // the feed fails again each time that it tries to connect
      on: {'answer.disconnected': {}},
      states: {
        ...pausing('retrieving', {followDelay: {target: 'retrieving'}}),
        retrieving: retrieving({running: '#conversation.following.waiting', failed: 'deciding'}),
      },
    },
  },
})
