import {planOfRepeat} from './conversation.plans.ts'
import {retrieving} from './conversation.retrieving.ts'
import {conversationSetup} from './conversation.setup.ts'
import {added} from './conversation.states.ts'
import {settledAs} from './conversation.turns.ts'
import type {Again, ConversationContext, ConversationEvent, RepeatPosition} from './conversation.types.ts'

type SubmitParameters = {context: ConversationContext; event: Extract<ConversationEvent, {type: 'prompt.submit'}>}
/** The turn was over: what is asked while its answer is read waits for nothing. */
export const instead = [
  {guard: {type: 'mustWait', params: ({event}: SubmitParameters) => event}, actions: [added]},
  {
    guard: {type: 'hasText', params: ({event}: SubmitParameters) => event},
    target: '#conversation.preparing',
    actions: [
      'clearEnd',
      ...settledAs('interrupted'),
      {
        type: 'planAsk',
        params: ({context, event}: SubmitParameters) => ({plan: {...event, cut: context.messages.length}}),
      },
    ],
  },
] as const

type RepeatParameters = {context: ConversationContext; event: Again & RepeatPosition}
/** The answer that was given up is asked for again. */
export const recheck = {
  guard: {type: 'isLastRepeatable', params: ({event}: RepeatParameters) => event},
  target: '#conversation.reconciling.rechecking',
  actions: [
    {type: 'planAsk', params: ({context, event}: RepeatParameters) => ({plan: planOfRepeat(context, event)})},
    'reopenExchange',
  ],
} as const

/**
 * Before an answer that was given up is asked for again it is read: the server may have ended it, or write it still, and
 * a second one would be paid for. The question goes out where the server says that it has no whole answer; where it
 * cannot be reached, nothing does.
 */
export const rechecking = conversationSetup.createStateConfig({
  ...retrieving({running: 'deciding', failed: 'lost', isReopened: true, isPlanned: true}),
  on: {'answer.stop': {target: 'lost'}, 'prompt.submit': instead},
})
