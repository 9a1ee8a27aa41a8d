import {assign, enqueueActions, setup} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** Fact for the list: the search has ended. `failure`: why the server did not give its copy. */
export type FindingSettled = {type: 'finding.settled'; key: string; failure?: Failure}
/**
 * A newer copy of a conversation: the server's, or with what a part of the session changed in it. One that the list
 * does not have comes first.
 */
export type ConversationLoaded = {type: 'conversation.loaded'; record: ConversationRecord}
export type FindingInput = {key: string; parentRef: ParentRef<ConversationLoaded | FindingSettled>}
type Context = FindingInput & {record?: ConversationRecord; failure?: Failure}

/**
 * A conversation that an address names and the list lacks (made in another tab since, or beyond what the server lists):
 * the server is asked for it once. Owned by `conversations`.
 */
export const findingMachine = setup({
  types: {input: {} as FindingInput, context: {} as Context},
  actors: {findConversation: promisePort<ConversationRecord, {key: string}>('findConversation')},
  delays: {callDeadline: 15_000},
  actions: {
    storeRecord: assign((_, {output}: {output: ConversationRecord}) => ({record: output})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    reportSettled: enqueueActions(({enqueue, context: {key, record, failure, parentRef}}) => {
      if (record !== undefined) enqueue.sendTo(parentRef, {type: 'conversation.loaded', record})
      enqueue.sendTo(parentRef, {type: 'finding.settled', key, failure})
    }),
  },
}).createMachine({
  id: 'finding',
  context: ({input}) => input,
  initial: 'asking',
  states: {
    asking: {
      invoke: {
        id: 'findConversation',
        src: 'findConversation',
        input: ({context: {key}}) => ({key}),
        onDone: {target: 'settled', actions: [{type: 'storeRecord', params: ({event}) => event}]},
        onError: {target: 'settled', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'settled', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    settled: {type: 'final', entry: ['reportSettled']},
  },
})
