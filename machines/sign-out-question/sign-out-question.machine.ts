import {assign, setup, type ActorRefFrom} from 'xstate'
import type {Unsent} from '#domain/unsent.ts'
import {promisePort} from '#machines/lib/ports.ts'

export type SignOutQuestionEvent =
  /** Keeps the session and what was not sent. */
  | {type: 'signOut.stay'}
  /** Gives up what was not sent. */
  | {type: 'signOut.go'}

/**
 * The question before signing out drops what no server has. A part of the session: the code of signing out opens it and
 * waits for its end; it ends with the session. A browser that does not say what it keeps does not prevent signing out.
 */
export const signOutQuestionMachine = setup({
  types: {context: {} as Unsent, events: {} as SignOutQuestionEvent},
  actors: {countUnsent: promisePort<Unsent, void>('countUnsent')},
  delays: {countDeadline: 3_000},
  guards: {hasUnsent: (_, {drafts, questions, tasks}: Unsent) => drafts + questions + tasks > 0},
  actions: {storeUnsent: assign((_, unsent: Unsent) => unsent)},
}).createMachine({
  id: 'signOutQuestion',
  context: {drafts: 0, questions: 0, tasks: 0},
  initial: 'counting',
  states: {
    counting: {
      invoke: {
        id: 'countUnsent',
        src: 'countUnsent',
        onDone: [
          {
            guard: {type: 'hasUnsent', params: ({event}) => event.output},
            target: 'asked',
            actions: [{type: 'storeUnsent', params: ({event}) => event.output}],
          },
          {target: 'leaving'},
        ],
        onError: {target: 'leaving'},
      },
      after: {countDeadline: {target: 'leaving'}},
    },
    asked: {on: {'signOut.stay': {target: 'staying'}, 'signOut.go': {target: 'leaving'}}},
    staying: {type: 'final'},
    leaving: {type: 'final'},
  },
})

export type SignOutQuestionActor = ActorRefFrom<typeof signOutQuestionMachine>
