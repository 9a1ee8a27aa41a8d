import type {Ask} from '#domain/conversation.ts'
import {toFailure} from '#domain/failure.ts'
import {heardEnd} from './conversation.following.ts'
import {planOfEdit, planOfRepeat} from './conversation.plans.ts'
import {answerInput, truncateInput} from './conversation.rules.ts'
import {conversationSetup} from './conversation.setup.ts'
import {began, settledAs} from './conversation.turns.ts'
import type {Again, ConversationContext, RepeatPosition} from './conversation.types.ts'

/** The question waits for its turn. */
export const added = {
  type: 'sendToFollowUps',
  params: ({event: {question, references, sizes, key}}: {event: Ask}) =>
    ({type: 'followUp.add', ask: {question, references, sizes, key}}) as const,
} as const

/** The user stopped a question that did not go out. */
export const unaskedStop = {
  target: '#conversation.unasked',
  actions: [{type: 'storeEnd', params: {failure: {code: 'canceled', detail: ''}}}],
} as const

/** The server deletes what the question replaces; the thread shows it already. `reconciling` follows a lost contact. */
export const truncating = conversationSetup.createStateConfig({
  tags: ['busy', 'streaming', 'waiting'],
  invoke: {
    id: 'truncateConversation',
    src: 'truncateConversation',
    input: ({context}) => truncateInput(context),
    onDone: {target: 'asking', actions: [{type: 'truncate', params: ({event}) => event}, 'beginExchange', began]},
    onError: [
      // a page that is left sees its own call end so, and the next one begins here
      {guard: {type: 'wasLost', params: ({event}) => event}, target: 'reconciling'},
      {
        target: 'unasked',
        actions: [{type: 'storeEnd', params: ({event}) => ({failure: toFailure(event.error)})}],
      },
    ],
  },
  after: {callDeadline: {target: 'reconciling'}},
  on: {'answer.stop': unaskedStop},
})

/**
 * The deletions before a question failed. The question waits for its turn where the server answers one of another page;
 * a question that replaces nothing stored stays as refused, with its files; else the thread is as before.
 */
export const unasked = conversationSetup.createStateConfig({
  always: [
    {guard: 'isOccupied', target: 'yielding'},
    {guard: 'isNew', target: 'failed.refused', actions: settledAs('refused')},
    {
      target: 'restoring',
      actions: ['rejectPlan', 'tellRejected', {type: 'reportFollowUps', params: {}}],
    },
  ],
})

type RepeatParameters = {context: ConversationContext; event: Again & RepeatPosition}
/** A question is asked or answered again. */
export const repeat = {
  guard: {type: 'isRepeatable', params: ({event}: RepeatParameters) => event},
  target: '#conversation.preparing',
  actions: [{type: 'planAsk', params: ({context, event}: RepeatParameters) => ({plan: planOfRepeat(context, event)})}],
} as const

/** Nothing runs: a question may be asked, an older one replaced or answered again, the server's copy taken over. */
export const settled = conversationSetup.createStateConfig({
  tags: ['settled'],
  on: {
    'prompt.submit': [
      {guard: {type: 'mustWait', params: ({event}) => event}, actions: [added]},
      {
        guard: {type: 'hasText', params: ({event}) => event},
        target: '#conversation.preparing',
        actions: [{type: 'planAsk', params: ({context, event}) => ({plan: {...event, cut: context.messages.length}})}],
      },
    ],
    'followUp.due': {
      target: '#conversation.preparing',
      actions: [{type: 'planFollowUp', params: ({event}) => event}],
    },
    'message.edit': {
      guard: {type: 'isEditable', params: ({event}) => event},
      target: '#conversation.preparing',
      actions: [{type: 'planAsk', params: ({context, event}) => ({plan: planOfEdit(context, event)})}],
    },
    'answer.regenerate': repeat,
    'path.show': {
      target: '#conversation.visiting',
      actions: [{type: 'showPath', params: ({event}) => event}],
    },
    'history.loaded': {
      target: '#conversation.restoring',
      actions: [{type: 'mergeHistory', params: ({event}) => event}, 'revive'],
    },
  },
})

/**
 * The thread shows a path that the server has not chosen, since a link leads to a message of it (decision 172). Nobody
 * else sees that: what is asked, edited or answered again here chooses the path with it. What other pages change is
 * read beside it. Questions that wait for their turn, and what waits for a credential or credits, belong to it.
 */
export const visiting = conversationSetup.createStateConfig({
  tags: ['settled'],
  on: {
    ...settled.on,
    'answer.retry': repeat,
    'followUp.due': {
      target: '#conversation.preparing',
      actions: ['endVisit', {type: 'planFollowUp', params: ({event}) => event}],
    },
    'history.loaded': {actions: [{type: 'mergeHistory', params: ({event}) => event}]},
    'path.leave': {target: '#conversation.restoring', actions: ['endVisit', 'revive']},
  },
})

/** The stream of an answer is open: first a connection, then words; silence is watched all the time. */
export const streaming = conversationSetup.createStateConfig({
  tags: ['busy', 'streaming'],
  invoke: {
    id: 'answerStream',
    src: 'answerStream',
    input: ({context}) => answerInput(context),
    // the end of the bytes is not the end of the answer
    onDone: {target: 'reconciling'},
    onError: {
      target: 'judging',
      actions: [{type: 'storeEnd', params: ({event}) => ({failure: toFailure(event.error)})}],
    },
  },
  on: {
    'answer.stop': {target: 'stopping'},
    'slot.denied': [
      {guard: 'canFollow', target: 'following'},
      {guard: 'isNamed', target: 'following.waiting'},
      {target: 'reconciling'},
    ],
    ...heardEnd.on,
    'answer.received': [
      {
        guard: {type: 'isNext', params: ({event}) => event},
        target: '.answering',
        // restarts the silence watch; on `asking` it would open the stream a second time
        reenter: false,
        actions: [{type: 'appendText', params: ({event}) => event}],
      },
      {guard: {type: 'isGap', params: ({event}) => event}, target: 'reconciling'},
    ],
  },
  initial: 'pending',
  states: {
    pending: {
      tags: ['waiting'],
      initial: 'connecting',
      states: {
        connecting: {
          after: {connectDeadline: {target: '#conversation.reconciling'}},
          on: {
            'answer.connected': {target: 'waiting'},
            'answer.pinged': {target: 'waiting'},
            'slot.awaited': [
              {
                guard: {type: 'waitsInVain', params: ({event}) => event},
                target: '#conversation.asking',
                reenter: true,
              },
              {target: 'queued'},
            ],
          },
        },
        queued: {
          // other answers use the connections that the tabs of the browser have for them
          on: {
            'slot.granted': {target: 'connecting'},
            // asked before the service was known; nothing was sent
            'service.changed': [
              {
                guard: {type: 'beginsToFollow', params: ({event}) => event},
                target: '#conversation.asking',
                reenter: true,
                actions: [{type: 'storeCapabilities', params: ({event}) => event}],
              },
              {actions: [{type: 'storeCapabilities', params: ({event}) => event}]},
            ],
          },
        },
        waiting: {
          // an own machine answers without a network too
          entry: ['noteNetwork'],
          after: {silence: {target: '#conversation.reconciling'}},
          on: {'answer.pinged': {target: 'waiting', reenter: true}},
        },
      },
      on: {
        'answer.started': [
          {
            guard: {type: 'isThere', params: ({event}) => event},
            target: '#conversation.restoring',
            actions: ['dropExchange', {type: 'reportChange', params: {phase: 'settled'}}],
          },
          {
            guard: {type: 'isStart', params: ({event}) => event},
            target: '.waiting',
            actions: [{type: 'storeStart', params: ({event}) => event}, began],
          },
        ],
      },
    },
    answering: {
      tags: ['writing'],
      after: {silence: {target: '#conversation.reconciling'}},
      on: {
        'answer.pinged': {target: 'answering', reenter: true},
        'answer.started': {
          guard: {type: 'isStart', params: ({event}) => event},
          actions: [{type: 'storeStart', params: ({event}) => event}],
        },
      },
    },
  },
})
