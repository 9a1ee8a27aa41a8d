import {enqueueActions, setup, type SnapshotFrom} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

export type RemovalInput = {record: ConversationRecord}
/** Fact for the list. */
export type RemovalSettled =
  | {type: 'removal.undone'; key: string}
  | {type: 'removal.done'; key: string}
  | {type: 'removal.failed'; key: string; failure: Failure}
type RemovalEvent = {type: 'removal.undo'} | {type: 'removal.flush'}

/**
 * One deleted conversation: it can be taken back for eight seconds, then the server is told (expectations §2.2). The
 * page closing tells the server at once. A refused deletion puts the conversation back. Owned by `conversations`.
 */
export const removalMachine = setup({
  types: {input: {} as RemovalInput, context: {} as RemovalInput, events: {} as RemovalEvent},
  actors: {removeConversation: promisePort<void, {conversation: string}>('removeConversation')},
  delays: {undoWindow: 8_000, callDeadline: 15_000},
  guards: {isLocal: ({context}) => context.record.id === undefined},
  actions: {
    tell: enqueueActions(({enqueue, self}, fact: RemovalSettled) => {
      if (self._parent !== undefined) enqueue.sendTo(self._parent, fact)
    }),
  },
}).createMachine({
  id: 'removal',
  context: ({input}) => input,
  initial: 'undoable',
  states: {
    undoable: {
      after: {undoWindow: {target: 'removing'}},
      on: {'removal.undo': {target: 'undone'}, 'removal.flush': {target: 'removing'}},
    },
    removing: {
      always: {guard: 'isLocal', target: 'done'},
      invoke: {
        id: 'removeConversation',
        src: 'removeConversation',
        input: ({context: {record}}) => ({conversation: record.id ?? record.key}),
        onDone: {target: 'done'},
        onError: {
          target: 'failed',
          actions: [
            {
              type: 'tell',
              params: ({context, event}) => ({
                type: 'removal.failed',
                key: context.record.key,
                failure: toFailure(event.error),
              }),
            },
          ],
        },
      },
      after: {
        callDeadline: {
          target: 'failed',
          actions: [
            {
              type: 'tell',
              params: ({context}) => ({
                type: 'removal.failed',
                key: context.record.key,
                failure: toFailure(timeout.error),
              }),
            },
          ],
        },
      },
    },
    undone: {
      type: 'final',
      entry: [{type: 'tell', params: ({context}) => ({type: 'removal.undone', key: context.record.key})}],
    },
    done: {
      type: 'final',
      entry: [{type: 'tell', params: ({context}) => ({type: 'removal.done', key: context.record.key})}],
    },
    failed: {type: 'final'},
  },
})
export type RemovalSnapshot = SnapshotFrom<typeof removalMachine>
