import {assign, setup} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** Some conversations of the server; `next` is where the following ones begin, absent after the last. */
export type ConversationPage = {records: ConversationRecord[]; next?: number | undefined}
/** `kept`: the copies of this device; `records`: those of the pages before. */
export type ConversationPageInput = ConversationPagesInput & {offset: number; records: readonly ConversationRecord[]}
type ConversationPagesInput = {userId: string; kept: readonly ConversationRecord[]}

/**
 * All conversations. `kept`: what this device had when the reading began; `failure`: a page could not be read, and
 * nothing is known of the rest.
 */
export type ConversationPagesOutput = Pick<ConversationPagesInput, 'kept'> & {
  records: ConversationRecord[]
  failure?: Failure | undefined
}
type Context = ConversationPagesOutput & ConversationPagesInput & {offset: number}

/** Records that no earlier page had. */
const newRecords = ({records}: Context, page: ConversationPage) =>
  page.records.filter(({key}) => records.every((record) => record.key !== key))

/**
 * Reads the conversations of a user page by page, each page with a deadline of its own: a long list on a slow line is
 * not a failure. Invoked by `conversations`, which gets the result as its output.
 */
export const conversationPagesMachine = setup({
  types: {input: {} as ConversationPagesInput, context: {} as Context, output: {} as ConversationPagesOutput},
  actors: {getConversations: promisePort<ConversationPage, ConversationPageInput>('getConversations')},
  delays: {callDeadline: 20_000},
  guards: {
    /** A server without paging sends the same records again. */
    hasMore: ({context}, {output}: {output: ConversationPage}) =>
      output.next !== undefined && newRecords(context, output).length > 0,
  },
  actions: {
    storePage: assign(({context}, {output}: {output: ConversationPage}) => ({
      records: [...context.records, ...newRecords(context, output)],
      offset: output.next ?? 0,
    })),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
  },
}).createMachine({
  id: 'conversationPages',
  context: ({input}) => ({...input, records: [], offset: 0}),
  output: ({context: {kept, records, failure}}) => ({kept, records, failure}),
  initial: 'reading',
  states: {
    reading: {
      invoke: {
        id: 'getConversations',
        src: 'getConversations',
        input: ({context}) => context,
        onDone: [
          {
            guard: {type: 'hasMore', params: ({event}) => event},
            target: 'reading',
            reenter: true,
            actions: [{type: 'storePage', params: ({event}) => event}],
          },
          {target: 'done', actions: [{type: 'storePage', params: ({event}) => event}]},
        ],
        onError: {target: 'done', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'done', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    done: {type: 'final'},
  },
})
