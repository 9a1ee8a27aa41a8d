import {assign, setup, type SnapshotFrom} from 'xstate'
import type {AnswerDetails} from '#contract/answer-details.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** `message`: the server's id of the answer. */
type Input = {message: string}
export type AnswerDetailsEvent = {type: 'details.load'}

/** How one answer came about, read when the user asks for it. Owned by the panel that shows it, ends with it. */
export const answerDetailsMachine = setup({
  types: {
    input: {} as Input,
    context: {} as Input & {details?: AnswerDetails; failure?: Failure},
    events: {} as AnswerDetailsEvent,
  },
  actors: {readDetails: promisePort<AnswerDetails, Input>('readDetails')},
  delays: {callDeadline: 20_000},
  actions: {
    storeDetails: assign((_, {output}: {output: AnswerDetails}) => ({details: output})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
  },
}).createMachine({
  id: 'answerDetails',
  context: ({input}) => input,
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'readDetails',
        src: 'readDetails',
        input: ({context: {message}}) => ({message}),
        onDone: {target: 'shown', actions: [{type: 'storeDetails', params: ({event}) => event}]},
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    failed: {on: {'details.load': {target: 'loading'}}},
    shown: {type: 'final'},
  },
})

export type AnswerDetailsSnapshot = SnapshotFrom<typeof answerDetailsMachine>
