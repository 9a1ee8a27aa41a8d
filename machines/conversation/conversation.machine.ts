import type {ActorRefFrom, SnapshotFrom} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {adopting} from './conversation.adopting.ts'
import {following} from './conversation.following.ts'
import {planOfRepeat} from './conversation.plans.ts'
import {failedModel} from './conversation.rules.ts'
import {retrieving} from './conversation.retrieving.ts'
import {pausing} from './conversation.pausing.ts'
import {conversationSetup} from './conversation.setup.ts'
import {added, repeat, settled, streaming, truncating, unasked, unaskedStop, visiting} from './conversation.states.ts'
import {stopping} from './conversation.stopping.ts'
import {began, settledAs, turnBegan, turnEnded} from './conversation.turns.ts'
import type {ConversationContext} from './conversation.types.ts'
import {yielding} from './conversation.yielding.ts'

/** The key of the last answer, which no server has seen: it is the same question, sent for the first time. */
const sameKey = {
  type: 'planAsk',
  params: ({context}: {context: ConversationContext}) => ({
    plan: planOfRepeat(context, {key: context.messages.at(-1)?.id ?? ''}),
  }),
} as const

/** The server may have the answer that was given up: it is read once, and the text that is shown stays until then. */
const reread = {target: '#conversation.reconciling.rereading', actions: ['reopenExchange']} as const

/**
 * The same before that answer is asked for again: the server may have ended it, or write it still, and a second one
 * would be paid for. The question goes out where the server has no whole answer, and not where it cannot be reached.
 */
const rereadFirst = {...repeat, ...reread, actions: [...repeat.actions, ...reread.actions]} as const

/**
 * One conversation: its settled history and the one exchange that may run (spec §4, contract/chat §4).
 *
 * Owned by `conversations`, not by a screen: leaving the chat stops nothing. The server owns the answer, so losing the
 * stream is no failure: `reconciling` finds it again by resume, by the same request with the same key, or by reading
 * the conversation, at most five times without progress, and once more when the page is seen again, has a network
 * again, or is told to ask again. Only `answer.completed` finishes. Stopping is a command with a state of its own,
 * repeated until the server confirms it or is given up. Times: `at` and `updatedAt` in unix seconds, delays in
 * milliseconds.
 */
export const conversationMachine = conversationSetup.createMachine({
  id: 'conversation',
  context: ({input: {record, ...rest}, spawn, self}) => {
    const {followUps: items = [], ...storedRecord} = record
    const followUps = spawn('followUps', {id: 'followUps', input: {items, parentRef: self}})
    return {...storedRecord, ...rest, followUps, failedModel: failedModel(record), stops: 0, yields: 0}
  },
  invoke: environmentInvoke,
  entry: ['revive'],
  initial: 'restoring',
  on: {
    'model.choose': {actions: [{type: 'chooseModel', params: ({event}) => event}]},
    // what is asked while something runs waits for its turn
    'prompt.submit': {guard: {type: 'hasText', params: ({event}) => event}, actions: [added]},
    'followUp.due': {
      actions: [{type: 'sendToFollowUps', params: ({event: {ask}}) => ({type: 'followUp.add', ask, at: 0})}],
    },
    'followUps.noted': {actions: [{type: 'reportFollowUps', params: ({event}) => event}]},
    'followUps.heard': {actions: [{type: 'sendToFollowUps', params: ({event}) => event}]},
    'title.changed': {actions: [{type: 'storeTitle', params: ({event}) => event}]},
    'service.changed': {actions: [{type: 'storeCapabilities', params: ({event}) => event}]},
    'connection.restored': {actions: ['noteNetwork']},
  },
  states: {
    restoring: {
      // re-enters the state that the stored messages describe; a raw snapshot is never stored
      always: [
        {guard: 'isVisiting', target: 'visiting', actions: [turnEnded(false)]},
        {guard: 'isNamed', target: 'following', actions: [turnBegan, began]},
        {guard: 'hasExchange', target: 'reconciling', actions: [turnBegan, began]},
        {guard: {type: 'lastEnded', params: {outcome: 'stopped'}}, target: 'failed.stopped'},
        {
          guard: {type: 'lastEnded', params: {outcome: 'interrupted', unconfirmed: true}},
          target: 'failed.interrupted.lost',
        },
        {guard: {type: 'lastEnded', params: {outcome: 'interrupted'}}, target: 'failed.interrupted'},
        {guard: 'lastUnpaid', target: 'failed.unpaid'},
        {guard: {type: 'lastEnded', params: {outcome: 'refused'}}, target: 'failed.refused'},
        {guard: 'lastAnswered', target: 'finished'},
        {target: 'idle'},
      ],
    },
    idle: {...settled, entry: [turnEnded(true)]},
    preparing: {
      entry: [turnBegan],
      // what was deleted or is replaced is not read with the question: it goes from the server first
      always: [
        {guard: 'mustTruncate', target: 'truncating', actions: ['announceExchange', began]},
        {target: 'asking', actions: ['beginExchange', began]},
      ],
    },
    truncating,
    unasked,
    asking: streaming,
    judging: {
      // the stream ended with a failure: lost contact, no credential, or an end the server decided
      always: [
        {guard: 'isLost', target: 'reconciling', actions: ['clearEnd']},
        {guard: 'lacksApplication', target: 'failed.unapplied', actions: settledAs('refused')},
        {guard: 'isOccupied', target: 'yielding'},
        {guard: 'isResuming', target: 'reconciling.unresumed', actions: ['clearEnd']},
        {
          guard: {type: 'endedAs', params: {outcome: 'stopped'}},
          target: 'failed.stopped',
          actions: ['clearEnd', ...settledAs('stopped')],
        },
        {guard: 'wasCutOff', target: 'adopting'},
        {
          guard: {type: 'endedAs', params: {outcome: 'interrupted'}},
          target: 'failed.interrupted',
          actions: settledAs('interrupted'),
        },
        {guard: 'isUsedUp', target: 'failed.unpaid', actions: settledAs('refused')},
        {
          target: 'failed.refused',
          actions: settledAs('refused'),
        },
      ],
    },
    adopting,
    yielding,
    following,
    stopping,
    reconciling: {
      tags: ['busy', 'streaming', 'reconnecting'],
      initial: 'deciding',
      on: {
        'answer.stop': [{guard: 'isUnasked', ...unaskedStop}, {target: 'stopping'}],
      },
      states: {
        ...pausing('searching', {reconnectDelay: {target: 'searching'}}),
        searching: {
          always: [
            {guard: 'isUnasked', target: '#conversation.truncating'},
            {
              guard: 'isAnnounced',
              target: '#conversation.preparing',
              actions: [{type: 'settleFailed', params: {outcome: 'refused'}}, sameKey],
            },
            {guard: 'canResume', target: '#conversation.asking'},
            {guard: 'canRepeat', target: '#conversation.asking'},
            {guard: 'canRetrieve', target: 'retrieving'},
            {target: 'lost'},
          ],
        },
        retrieving: retrieving({running: 'deciding', failed: 'deciding'}),
        rereading: {
          ...retrieving({running: 'deciding', failed: 'lost', isReopened: true}),
          on: {
            // nothing was asked again yet
            'answer.stop': {guard: 'hasPlan', target: 'lost', actions: ['dropPlan']},
            // the turn was over: what is asked now waits for nothing
            'prompt.submit': [
              {guard: {type: 'mustWait', params: ({event}) => event}, actions: [added]},
              {
                guard: {type: 'hasText', params: ({event}) => event},
                target: '#conversation.preparing',
                actions: [
                  'clearEnd',
                  ...settledAs('interrupted'),
                  {type: 'planAsk', params: ({context, event}) => ({plan: {...event, cut: context.messages.length}})},
                ],
              },
            ],
          },
        },
        unresumed: {
          // the server refused to resume: the answer can only be read
          initial: 'retrieving',
          states: {
            ...pausing('retrieving', {reconnectDelay: {target: 'retrieving'}}),
            retrieving: retrieving({running: 'deciding', failed: 'deciding', resumes: false}),
          },
        },
        lost: {
          always: [
            {
              guard: 'isUnasked',
              target: '#conversation.unasked',
              actions: [{type: 'storeEnd', params: () => ({failure: toFailure(timeout.error)})}],
            },
            {
              guard: 'hasPlan',
              target: '#conversation.preparing',
              actions: settledAs('interrupted'),
            },
            {
              guard: 'isNamed',
              target: '#conversation.failed.interrupted.lost',
              actions: ['clearEnd', ...settledAs('interrupted', true)],
            },
            {
              target: '#conversation.failed.interrupted',
              actions: ['clearEnd', ...settledAs('interrupted')],
            },
          ],
        },
      },
    },
    finished: {...settled, entry: [turnEnded(true)]},
    visiting,
    failed: {
      ...settled,
      entry: [turnEnded(false)],
      on: {
        ...settled.on,
        'answer.retry': repeat,
      },
      initial: 'interrupted',
      states: {
        stopped: {tags: ['stopped']},
        interrupted: {
          initial: 'ended',
          states: {
            ended: {},
            lost: {
              on: {
                'page.shown': reread,
                'connection.restored': reread,
                'answer.retry': rereadFirst,
              },
            },
          },
        },
        refused: {},
        unapplied: {
          // asked before the tool was applied for: the question waits for its credential
          on: {
            'credential.ready': {
              target: '#conversation.preparing',
              actions: [sameKey],
            },
          },
        },
        unpaid: {
          // refused for want of credits: the question waits for them
          on: {
            'credits.*': {
              guard: {type: 'awaitsCredits', params: ({event}) => event},
              target: '#conversation.preparing',
              // the refused key, so that the tabs of a user ask once
              actions: [
                {
                  type: 'planAsk',
                  params: ({context, event: {at}}) => ({
                    plan: planOfRepeat(context, {key: context.messages.at(-1)?.id ?? '', at}),
                  }),
                },
              ],
            },
          },
        },
      },
    },
  },
})

export type ConversationActor = ActorRefFrom<typeof conversationMachine>
export type ConversationSnapshot = SnapshotFrom<typeof conversationMachine>
