import {assign, setup, type SnapshotFrom} from 'xstate'
import type {SharedConversation} from '#contract/shares.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** `id`: the handle in the link. */
type Input = {id: string}
export type SharedConversationEvent = {type: 'conversation.load'}
/** `site`: title of the site, where it has one. */
export type SharedReading = {conversation: SharedConversation; site: string | undefined}

/**
 * The page that a reader of a shared link sees: the snapshot, that there is none (a revoked link looks like one that
 * never existed), or why it could not be read. The only chart of that page.
 */
export const sharedConversationMachine = setup({
  types: {
    input: {} as Input,
    context: {} as Input & {shared?: SharedReading; failure?: Failure | undefined},
    events: {} as SharedConversationEvent,
  },
  actors: {readShared: promisePort<SharedReading, Input>('readShared')},
  guards: {isMissing: (_, {error}: {error: unknown}) => toFailure(error).status === 404},
  delays: {callDeadline: 20_000},
  actions: {
    storeShared: assign((_, {output}: {output: SharedReading}) => ({shared: output})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    clearFailure: assign({failure: undefined}),
  },
}).createMachine({
  id: 'sharedConversation',
  context: ({input}) => input,
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'readShared',
        src: 'readShared',
        input: ({context: {id}}) => ({id}),
        onDone: {target: 'shown', actions: [{type: 'storeShared', params: ({event}) => event}]},
        onError: [
          {target: 'missing', guard: {type: 'isMissing', params: ({event}) => event}},
          {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
        ],
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    failed: {on: {'conversation.load': {target: 'loading', actions: ['clearFailure']}}},
    missing: {type: 'final'},
    shown: {type: 'final'},
  },
})

export type SharedConversationSnapshot = SnapshotFrom<typeof sharedConversationMachine>
