import {enqueueActions, setup} from 'xstate'
import {toFailure, type Failure} from '#domain/failure.ts'
import type {ParentRef} from './parent-ref.ts'
import {promisePort} from './ports.ts'
import {timeout} from './timeout.ts'

/** `key` names the thing for its owner; `id` is the server's, absent while the server does not have it. */
export type RemovalInput = {
  parentRef: ParentRef<RemovalSettled>
  key: string
  id: string | undefined
  /** An earlier page deleted it and was left before it heard the server's answer. */
  isUnconfirmed?: boolean
}
/** Fact for the owner. */
export type RemovalSettled =
  | {type: 'removal.undone'; key: string}
  | {type: 'removal.done'; key: string}
  | {type: 'removal.failed'; key: string; failure: Failure}
export type RemovalEvent =
  | {type: 'removal.undo'}
  /** The pointer or the focus is on the offer to undo, or neither is any more. */
  | {type: 'removal.hold'}
  | {type: 'removal.release'}
  /** Ends the time to undo: the page closes, or the owner counts it. */
  | {type: 'removal.flush'}
  | {type: 'credential.ready'}

/**
 * One deleted thing: it can be restored for eight seconds, then the server deletes it (expectations §2.2). The time
 * begins anew when neither the pointer nor the focus holds the offer. If the page closes, the server deletes it at
 * once. A refused deletion is reported to the owner, which restores it. Owned by a list.
 */
export const removalMachine = setup({
  types: {input: {} as RemovalInput, context: {} as RemovalInput, events: {} as RemovalEvent},
  actors: {remove: promisePort<void, {id: string}>('remove')},
  delays: {undoWindow: 8_000, callDeadline: 15_000},
  guards: {
    isUnconfirmed: ({context}) => context.isUnconfirmed === true,
    isLocal: ({context}) => context.id === undefined,
    /** An object that the server no longer has is deleted: the answer of an earlier call was lost. */
    isGone: (_, {error}: {error: unknown}) => toFailure(error).status === 404,
  },
  actions: {
    report: enqueueActions(
      ({enqueue, context: {parentRef, key}}, {type}: {type: 'removal.undone' | 'removal.done'}) => {
        enqueue.sendTo(parentRef, {type, key})
      },
    ),
    reportFailure: enqueueActions(({enqueue, context: {parentRef, key}}, {error}: {error: unknown}) => {
      enqueue.sendTo(parentRef, {type: 'removal.failed', key, failure: toFailure(error)})
    }),
  },
}).createMachine({
  id: 'removal',
  context: ({input}) => input,
  initial: 'deciding',
  states: {
    deciding: {always: [{guard: 'isUnconfirmed', target: 'unconfirmed'}, {target: 'undoable'}]},
    unconfirmed: {
      // deleted on an earlier page: the order is sent again once there is a credential
      on: {'credential.ready': {target: 'removing'}},
    },
    undoable: {
      initial: 'leaving',
      states: {
        leaving: {after: {undoWindow: {target: '#removal.removing'}}, on: {'removal.hold': {target: 'held'}}},
        held: {on: {'removal.release': {target: 'leaving'}}},
      },
      on: {
        'removal.undo': {target: 'undone'},
        'removal.flush': {target: 'removing'},
      },
    },
    removing: {
      always: {guard: 'isLocal', target: 'done'},
      invoke: {
        id: 'remove',
        src: 'remove',
        input: ({context: {id, key}}) => ({id: id ?? key}),
        onDone: {target: 'done'},
        onError: [
          {guard: {type: 'isGone', params: ({event}) => event}, target: 'done'},
          {target: 'failed', actions: [{type: 'reportFailure', params: ({event}) => event}]},
        ],
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'reportFailure', params: timeout}]}},
    },
    undone: {
      type: 'final',
      entry: [{type: 'report', params: {type: 'removal.undone'}}],
    },
    done: {
      type: 'final',
      entry: [{type: 'report', params: {type: 'removal.done'}}],
    },
    failed: {type: 'final'},
  },
})
