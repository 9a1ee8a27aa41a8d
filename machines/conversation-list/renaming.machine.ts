import {enqueueActions, setup} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** Fact for the list: the old title comes back. */
export type RenamingFailed = {type: 'renaming.failed'; key: string; previous: string | undefined; failure: Failure}

export type RenamingInput = {
  key: string
  conversation: string
  title: string
  previous: string | undefined
  parentRef: ParentRef<RenamingFailed>
}

/** One new title on its way to the server; the list shows it at once. Owned by `conversations`. */
export const renamingMachine = setup({
  types: {input: {} as RenamingInput, context: {} as RenamingInput},
  actors: {renameConversation: promisePort<void, {conversation: string; title: string}>('renameConversation')},
  delays: {callDeadline: 15_000},
  actions: {
    reportFailure: enqueueActions(({enqueue, context: {key, previous, parentRef}}, {error}: {error: unknown}) => {
      enqueue.sendTo(parentRef, {type: 'renaming.failed', key, previous, failure: toFailure(error)})
    }),
  },
}).createMachine({
  id: 'renaming',
  context: ({input}) => input,
  initial: 'calling',
  states: {
    calling: {
      invoke: {
        id: 'renameConversation',
        src: 'renameConversation',
        input: ({context: {conversation, title}}) => ({conversation, title}),
        onDone: {target: 'done'},
        onError: {target: 'failed', actions: [{type: 'reportFailure', params: ({event}) => event}]},
      },
      after: {
        callDeadline: {
          target: 'failed',
          actions: [
            {
              type: 'reportFailure',
              params: timeout,
            },
          ],
        },
      },
    },
    done: {type: 'final'},
    failed: {type: 'final'},
  },
})
