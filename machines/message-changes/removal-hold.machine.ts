import {enqueueActions, setup, stateIn} from 'xstate'
import type {LeadershipFact} from '#domain/leadership.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {streamPort, unfilledAction} from '#machines/lib/ports.ts'
import type {Message, RemovalOurs} from './message-changes.types.ts'

export type RemovalHoldInput = Message & {parentRef: ParentRef<RemovalOurs>}

/** The deletion has ended: the other tabs may have it in hand, once they have heard of that. */
export type HoldRelease = {type: 'hold.release'}

/**
 * Holds the deletion of one message for this tab: of the tabs of a browser one has it in hand, the first in its queue
 * (decision 91). Before it says `removal.ours`, and before it leaves the queue, the other tabs have a second to say, or
 * to hear, what became of the deletion. Owned by `messageChanges`.
 */
export const removalHoldMachine = setup({
  types: {
    input: {} as RemovalHoldInput,
    context: {} as RemovalHoldInput,
    events: {} as LeadershipFact | HoldRelease,
  },
  actors: {
    /** Stands in the queue of the tabs for a message's deletion: says when this tab is the first. */
    standInLine: streamPort<LeadershipFact, Message>('standInLine'),
  },
  delays: {holdRest: 1_000},
  guards: {isLeaving: stateIn({standing: 'leaving'})},
  actions: {
    tellOurs: enqueueActions(({enqueue, context: {parentRef, message}}) => {
      enqueue.sendTo(parentRef, {type: 'removal.ours', message})
    }),
    /** Port: the tabs do not know of each other what they delete. */
    logFailure: (_, _params: {error: unknown}) => unfilledAction('logFailure'),
  },
}).createMachine({
  id: 'removalHold',
  context: ({input}) => input,
  initial: 'standing',
  states: {
    standing: {
      invoke: {
        id: 'standInLine',
        src: 'standInLine',
        input: ({context: {message}}) => ({message}),
        // a browser whose tabs do not know of each other lets each one delete
        onError: [
          {guard: 'isLeaving'},
          {target: '.first', actions: [{type: 'logFailure', params: ({event}) => event}]},
        ],
      },
      initial: 'waiting',
      on: {'hold.release': {target: '.leaving'}},
      states: {
        waiting: {on: {'leader.won': {target: 'resting'}}},
        resting: {after: {holdRest: {target: 'first'}}},
        first: {entry: ['tellOurs']},
        leaving: {after: {holdRest: {target: '#removalHold.over'}}},
      },
    },
    over: {type: 'final'},
  },
})
