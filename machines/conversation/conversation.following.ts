import {found} from './conversation.rules.ts'
import {conversationSetup} from './conversation.setup.ts'

/**
 * The answer goes on at the server without a stream of this page, whose connections are few: it is looked after from
 * time to time, and its words are caught up on when there is a place for it again.
 */
export const following = conversationSetup.createStateConfig({
  tags: ['busy', 'streaming'],
  initial: 'waiting',
  on: {
    'answer.stop': {target: 'stopping'},
    'place.given': {target: 'reconciling.searching', actions: [{type: 'storePlace', params: {hasPlace: true}}]},
  },
  states: {
    waiting: {after: {followDelay: {target: 'retrieving'}}},
    retrieving: {
      invoke: {
        id: 'retrieveConversation',
        src: 'retrieveConversation',
        input: ({context}) => ({conversation: context.id ?? context.key}),
        onDone: [
          {
            guard: {type: 'foundFinished', params: ({event}) => event},
            target: '#conversation.finished',
            actions: [
              {type: 'adoptFound', params: ({event}) => event},
              {type: 'settleFinished', params: ({context, event}) => found(context, event.output) ?? {}},
              {type: 'reportChange', params: {phase: 'settled'}},
            ],
          },
          // the words so far come with the stream, which goes on after the last one that was seen
          {guard: {type: 'foundRunning', params: ({event}) => event}, target: 'waiting'},
          {
            guard: {type: 'foundFailed', params: ({event}) => event},
            target: '#conversation.judging',
            actions: [
              {type: 'adoptFound', params: ({event}) => event},
              {type: 'storeFoundEnd', params: ({event}) => event},
            ],
          },
          {target: '#conversation.reconciling.lost'},
        ],
        onError: [
          {guard: {type: 'isRefusal', params: ({event}) => event}, target: '#conversation.reconciling.lost'},
          {target: '#conversation.reconciling'},
        ],
      },
      after: {callDeadline: {target: '#conversation.reconciling'}},
    },
  },
})
