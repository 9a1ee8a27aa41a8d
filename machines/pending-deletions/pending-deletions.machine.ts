import {assign, setup} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import {streamPort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {requestDeadline} from '#machines/message-changes/message-changes.deadlines.ts'
import type {DeletionsSettled} from '#machines/message-changes/message-changes.types.ts'

type Context = {
  /** Conversations that were not asked yet; the first one is being asked. */
  remaining: readonly string[]
  failure?: Failure
}

/**
 * Before others are given what the server has of these conversations: their deletions happen, one conversation after
 * the other (decision 111). Owned by what makes the copy, which waits as long as this takes. An owner that leaves only
 * stops waiting: what was asked for is still deleted. Ends with the failure of the first one that failed; the others
 * are not asked then.
 */
export const pendingDeletionsMachine = setup({
  types: {
    input: {} as {conversations: readonly string[]},
    context: {} as Context,
    events: {} as DeletionsSettled,
    output: {} as {failure: Failure | undefined},
  },
  actors: {
    /** Asks `messageChanges` of the conversation, and reports what came of it; at once where nothing is deleted. */
    requestDeletions: streamPort<DeletionsSettled, {conversation: string}>('requestDeletions'),
  },
  // of each conversation
  delays: {requestDeadline},
  guards: {
    isNone: ({context: {remaining}}) => remaining.length === 0,
    isLast: ({context: {remaining}}) => remaining.length === 1,
    hasFailed: (_, {failure}: {failure?: Failure}) => failure !== undefined,
  },
  actions: {
    dropFirst: assign(({context: {remaining}}) => ({remaining: remaining.slice(1)})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
  },
}).createMachine({
  id: 'pendingDeletions',
  context: ({input: {conversations}}) => ({remaining: conversations}),
  initial: 'deciding',
  output: ({context: {failure}}) => ({failure}),
  states: {
    deciding: {always: [{guard: 'isNone', target: 'done'}, {target: 'asking'}]},
    asking: {
      invoke: {
        id: 'requestDeletions',
        src: 'requestDeletions',
        input: ({context: {remaining}}) => ({conversation: remaining[0] ?? ''}),
        onDone: {
          target: 'failed',
          actions: [{type: 'storeFailure', params: {error: new Error('The changes of the conversation have ended')}}],
        },
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {requestDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
      on: {
        'deletions.settled': [
          {
            guard: {type: 'hasFailed', params: ({event}) => event},
            target: 'failed',
            actions: [{type: 'storeFailure', params: ({event}) => ({error: event.failure})}],
          },
          {guard: 'isLast', target: 'done'},
          {target: 'asking', reenter: true, actions: ['dropFirst']},
        ],
      },
    },
    done: {type: 'final'},
    failed: {type: 'final'},
  },
})
