import {assign, enqueueActions, setup} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {promisePort} from '#machines/lib/ports.ts'

/** Fact for the list: the server has named a conversation. */
export type NamingSettled = {type: 'naming.settled'; key: string; title: string}
export type NamingInput = {key: string; parentRef: ParentRef<NamingSettled>}
type Context = NamingInput & {attempts: number; title?: string}

/** 1 + 2 + 4 + 8 + 16 seconds: longer than a server tries to find a name. */
const mostAttempts = 5

/**
 * Asks a few times for the title that the server makes of a conversation once its first answer has ended. Until then
 * the first question is the title. Owned by `conversations`.
 */
export const namingMachine = setup({
  types: {input: {} as NamingInput, context: {} as Context},
  actors: {findConversation: promisePort<ConversationRecord, {key: string}>('findConversation')},
  delays: {callDeadline: 15_000, namingDelay: ({context}) => 1_000 * 2 ** context.attempts},
  guards: {
    isNamed: (_, {output}: {output: ConversationRecord}) => output.title !== undefined,
    isExhausted: ({context}) => context.attempts >= mostAttempts,
  },
  actions: {
    countAttempt: assign(({context}) => ({attempts: context.attempts + 1})),
    storeTitle: assign((_, {output}: {output: ConversationRecord}) => ({title: output.title})),
    reportSettled: enqueueActions(({enqueue, context: {key, title, parentRef}}) => {
      if (title !== undefined) enqueue.sendTo(parentRef, {type: 'naming.settled', key, title})
    }),
  },
}).createMachine({
  id: 'naming',
  context: ({input}) => ({...input, attempts: 0}),
  initial: 'deciding',
  states: {
    deciding: {always: [{guard: 'isExhausted', target: 'settled'}, {target: 'waiting'}]},
    waiting: {after: {namingDelay: {target: 'asking'}}},
    asking: {
      entry: ['countAttempt'],
      invoke: {
        id: 'findConversation',
        src: 'findConversation',
        input: ({context: {key}}) => ({key}),
        onDone: [
          {
            guard: {type: 'isNamed', params: ({event}) => event},
            target: 'settled',
            actions: [{type: 'storeTitle', params: ({event}) => event}],
          },
          {target: 'deciding'},
        ],
        onError: {target: 'deciding'},
      },
      after: {callDeadline: {target: 'deciding'}},
    },
    settled: {type: 'final', entry: ['reportSettled']},
  },
})
