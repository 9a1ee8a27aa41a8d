import {not} from 'xstate'
import {timeout} from '#machines/lib/timeout.ts'
import {answerInput} from './conversation.rules.ts'
import {conversationSetup} from './conversation.setup.ts'
import {settledAs} from './conversation.turns.ts'
import type {ConversationContext, ConversationEvent} from './conversation.types.ts'

type SubmitParameters = {context: ConversationContext; event: Extract<ConversationEvent, {type: 'prompt.submit'}>}

const storePlan = {
  type: 'planAsk',
  params: ({context, event}: SubmitParameters) => ({plan: {...event, cut: context.messages.length}}),
} as const
const nextQuestion = {
  guard: {type: 'hasText', params: ({event}: SubmitParameters) => event},
  target: 'unconfirmed',
  actions: [storePlan],
} as const

const logFailure = {type: 'logStopFailure', params: ({event}: {event: {error: unknown}}) => event} as const

const onUnconfirmed = settledAs('stopped', true)

/**
 * The user stopped the answer. Nothing more of it shows; the server is asked to stop at once, whatever the browser says
 * of the network, and again until it confirms; until then the answer shows as stopping. What it never confirmed is said:
 * the answer may go on there.
 * The next question waits for the stop request that is on its way, but not for its retries.
 */
export const stopping = conversationSetup.createStateConfig({
  tags: ['stopped'],
  initial: 'deciding',
  exit: ['clearStops'],
  on: {
    // those without a network say nothing of the tries with one
    'connection.restored': {actions: ['noteNetwork', 'clearStops']},
    'prompt.submit': {
      guard: {type: 'hasText', params: ({event}) => event},
      actions: [
        {
          type: 'sendToFollowUps',
          params: ({event: {question, references, sizes, key}}) => ({
            type: 'followUp.promise',
            ask: {question, references, sizes, key},
          }),
        },
      ],
    },
  },
  states: {
    deciding: {always: [{guard: 'canNameAnswer', target: 'naming'}, {target: 'ordering'}]},
    naming: {
      // stopped before the server named the answer: joined once more for its name alone
      invoke: {
        id: 'answerStream',
        src: 'answerStream',
        input: ({context}) => answerInput(context),
        onDone: {target: 'ordering'},
        onError: [
          // asked again it may be taken, when what it was refused for is over
          {guard: {type: 'isRefusal', params: ({event}) => event}, target: 'unconfirmed', actions: [logFailure]},
          // there was no network from the question to the last try: nothing went out
          {guard: 'isUnsent', target: 'done', actions: [logFailure]},
          {target: 'ordering', actions: [logFailure]},
        ],
      },
      after: {stopDeadline: {target: 'ordering', actions: [{type: 'logStopFailure', params: timeout}]}},
      on: {
        'answer.started': {
          guard: {type: 'isStart', params: ({event}) => event},
          target: 'ordering',
          actions: [{type: 'storeStart', params: ({event}) => event}],
        },
        // this page has not sent the question, and no page before it had a network
        'answer.unsent': {guard: 'isHeld', target: 'done'},
      },
    },
    ordering: {
      always: [
        {guard: 'canCommandStop', target: 'commanding'},
        {guard: 'offersStop', target: 'repeating'},
        {target: 'done'},
      ],
    },
    commanding: {
      invoke: {
        id: 'stopAnswer',
        src: 'stopAnswer',
        input: ({context: {id, key, exchange}}) => ({
          conversation: id ?? key,
          ...(exchange?.message === undefined ? {} : {message: exchange.message}),
        }),
        onDone: [
          {
            guard: {type: 'wasTooLate', params: ({event}) => event},
            target: '#conversation.reconciling.retrieving',
          },
          {target: 'done'},
        ],
        onError: [
          {guard: {type: 'isRefusal', params: ({event}) => event}, target: 'unconfirmed', actions: [logFailure]},
          {target: 'repeating', actions: [logFailure]},
        ],
      },
      after: {stopDeadline: {target: 'repeating', actions: [{type: 'logStopFailure', params: timeout}]}},
    },
    repeating: {
      always: [
        // a question waits for this request alone
        {guard: 'isAwaited', target: 'unconfirmed'},
        {guard: 'waitsToStop', target: 'offline'},
        {guard: 'isStopExhausted', target: 'unconfirmed'},
        {target: 'waiting', actions: ['countStop']},
      ],
    },
    waiting: {
      after: {stopDelay: {target: 'deciding'}},
      on: {
        'prompt.submit': nextQuestion,
        'connection.restored': {target: 'deciding'},
      },
    },
    /** The browser may be wrong about the network: it is tried as often as with one, then when there is one again. */
    offline: {
      after: {
        stopDelay: {guard: not('isStopExhausted'), target: 'deciding', actions: ['countStop']},
        offlineDeadline: {target: 'unconfirmed'},
      },
      on: {
        'prompt.submit': nextQuestion,
        // a question that never went out would go out now
        'connection.restored': [
          {guard: 'isHeld', target: 'done'},
          {target: 'deciding', actions: ['clearStops']},
        ],
      },
    },
    unconfirmed: {
      always: [
        {guard: 'hasPlan', target: '#conversation.preparing', actions: [...onUnconfirmed, 'setPlanCut']},
        {target: '#conversation.failed.stopped', actions: onUnconfirmed},
      ],
    },
    done: {
      always: {
        target: '#conversation.failed.stopped',
        actions: settledAs('stopped'),
      },
    },
  },
})
