import {enqueueActions, setup} from 'xstate'
import type {ConversationChange} from '#domain/conversation.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** Fact for the list: what was comes back. */
export type ChangingFailed = {type: 'changing.failed'; previous: readonly ConversationChange[]; failure: Failure}

/** `changes` have ids of the server as keys, `previous` those of the list. */
export type ChangingInput = {
  changes: readonly ConversationChange[]
  previous: readonly ConversationChange[]
  parentRef: ParentRef<ChangingFailed>
}

/** A new title, or marks of some conversations, on the way to the server; the list shows them at once. Owned by `conversations`. */
export const changingMachine = setup({
  types: {input: {} as ChangingInput, context: {} as ChangingInput},
  actors: {
    changeConversations: promisePort<void, {changes: readonly ConversationChange[]}>('changeConversations'),
  },
  delays: {callDeadline: 30_000},
  actions: {
    reportFailure: enqueueActions(({enqueue, context: {previous, parentRef}}, {error}: {error: unknown}) => {
      enqueue.sendTo(parentRef, {type: 'changing.failed', previous, failure: toFailure(error)})
    }),
  },
}).createMachine({
  id: 'changing',
  context: ({input}) => input,
  initial: 'calling',
  states: {
    calling: {
      invoke: {
        id: 'changeConversations',
        src: 'changeConversations',
        input: ({context: {changes}}) => ({changes}),
        onDone: {target: 'done'},
        onError: {target: 'failed', actions: [{type: 'reportFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'reportFailure', params: timeout}]}},
    },
    done: {type: 'final'},
    failed: {type: 'final'},
  },
})
