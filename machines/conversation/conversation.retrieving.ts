import {found} from './conversation.rules.ts'
import {conversationSetup} from './conversation.setup.ts'

/**
 * Reads the conversation from the server to find an answer that this page has lost or only follows.
 * @param running state while the server still writes the answer and offers no stream of it
 * @param failed state after a failure that says nothing about the answer
 */
export const retrieving = <const Running extends string, const Failed extends string>(targets: {
  running: Running
  failed: Failed
}) =>
  conversationSetup.createStateConfig({
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
        {guard: {type: 'canStream', params: ({event}) => event}, target: '#conversation.asking'},
        {
          guard: {type: 'foundRunning', params: ({event}) => event},
          target: targets.running,
          actions: [{type: 'adoptFound', params: ({event}) => event}],
        },
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
        {target: targets.failed},
      ],
    },
    after: {callDeadline: {target: targets.failed}},
  })
