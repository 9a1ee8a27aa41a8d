import {exchangeAnswer} from './conversation.rules.ts'
import {conversationSetup} from './conversation.setup.ts'
import {settledAs} from './conversation.turns.ts'

const settleInterrupted = settledAs('interrupted')
const toInterrupted = {target: '#conversation.failed.interrupted', actions: settleInterrupted} as const

/**
 * The server cut the answer off, and may have kept less of it than was shown: its copy is what other devices show and
 * what the next question builds on (decision 27). Where it cannot be read the text stays as it was shown.
 */
export const adopting = conversationSetup.createStateConfig({
  tags: ['busy', 'streaming'],
  invoke: {
    id: 'retrieveConversation',
    src: 'retrieveConversation',
    input: ({context}) => ({conversation: context.id ?? context.key}),
    onDone: [
      {
        guard: {type: 'foundFailed', params: ({event}) => event},
        target: '#conversation.failed.interrupted',
        actions: [{type: 'adoptFound', params: ({event}) => event}, ...settleInterrupted],
      },
      {
        guard: {type: 'foundFinished', params: ({event}) => event},
        target: '#conversation.finished',
        actions: [
          'clearEnd',
          {type: 'adoptFound', params: ({event}) => event},
          {type: 'settleFinished', params: ({context, event}) => exchangeAnswer(context, event.output) ?? {}},
          {type: 'reportChange', params: {phase: 'settled'}},
        ],
      },
      toInterrupted,
    ],
    onError: toInterrupted,
  },
  after: {callDeadline: toInterrupted},
  on: {'answer.stop': toInterrupted},
})
