import {conversationSetup} from './conversation.setup.ts'
import {settledAs} from './conversation.turns.ts'

/**
 * The server refused the question because it is answering another one of this conversation, asked in another page. The
 * history is read, and the question becomes the next one. Where it cannot be read, or nothing is being answered and the
 * question is refused again and again, it stays in the thread as refused and can be asked again.
 */
export const yielding = conversationSetup.createStateConfig({
  tags: ['busy', 'streaming', 'waiting'],
  initial: 'deciding',
  on: {
    // an order to stop would end the other page's answer
    'answer.stop': {
      target: '#conversation.failed.stopped',
      actions: ['clearEnd', ...settledAs('stopped')],
    },
  },
  states: {
    deciding: {always: [{guard: 'mayYield', target: 'waiting'}, {target: 'refused'}]},
    waiting: {after: {yieldDelay: {target: 'retrieving'}}},
    retrieving: {
      invoke: {
        id: 'retrieveConversation',
        src: 'retrieveConversation',
        input: ({context}) => ({conversation: context.id ?? context.key}),
        onDone: {
          target: '#conversation.restoring',
          actions: [{type: 'returnQuestion', params: ({event}) => event}, 'revive'],
        },
        onError: [
          {guard: {type: 'isRefusal', params: ({event}) => event}, target: 'refused'},
          {target: 'deciding', actions: ['countYield']},
        ],
      },
      after: {callDeadline: {target: 'deciding', actions: ['countYield']}},
    },
    refused: {
      always: {
        target: '#conversation.failed.refused',
        actions: settledAs('refused'),
      },
    },
  },
})
