import {enqueueActions, setup} from 'xstate'
import type {ConversationChange} from '#domain/conversation.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {PartlySent} from '#domain/partly-sent.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/**
 * `key` names what is changed, the title or the marks of a conversation, which are two calls. `change` has the id of
 * the server as its key; `previous` is what the server has until then.
 */
export type PendingChange = {key: string; change: ConversationChange; previous: ConversationChange}

/** Fact for `conversationChanges`: the server accepted or refused these changes. */
export type ChangingSettled = {type: 'changing.settled'; sent: readonly PendingChange[]; failure?: Failure}

export type ChangingInput = {
  sent: readonly PendingChange[]
  /**
   * The server compares what it has with `previous`: it can, and what it has is sure, as no call about the same went
   * before that may be lost.
   */
  isCompared: boolean
  parentRef: ParentRef<ChangingSettled>
}

/** `previous`: what the server has of each, where that is sure. */
export type ChangesInput = {
  changes: readonly ConversationChange[]
  previous?: readonly ConversationChange[] | undefined
}

/**
 * Titles and marks of some conversations on the way to the server; the list shows them at once. Owned by
 * `conversationChanges`, which sends nothing more of the same until this has ended.
 */
export const changingMachine = setup({
  types: {input: {} as ChangingInput, context: {} as ChangingInput},
  actors: {
    changeConversations: promisePort<void, ChangesInput>('changeConversations'),
  },
  delays: {callDeadline: 30_000},
  actions: {
    report: enqueueActions(({enqueue, context: {sent, parentRef}}) => {
      enqueue.sendTo(parentRef, {type: 'changing.settled', sent})
    }),
    /** Those that arrived before the failure stay. */
    reportFailure: enqueueActions(({enqueue, context: {sent, parentRef}}, {error}: {error: unknown}) => {
      const arrivedKeys = new Set(error instanceof PartlySent ? error.arrivedIds : [])
      const isArrived = ({change}: PendingChange) => arrivedKeys.has(change.key)
      if (arrivedKeys.size > 0) enqueue.sendTo(parentRef, {type: 'changing.settled', sent: sent.filter(isArrived)})
      enqueue.sendTo(parentRef, {
        type: 'changing.settled',
        sent: sent.filter((one) => !isArrived(one)),
        failure: toFailure(error instanceof PartlySent ? error.cause : error),
      })
    }),
  },
}).createMachine({
  id: 'changing',
  context: ({input}) => input,
  initial: 'calling',
  states: {
    calling: {
      invoke: {
        id: 'changeConversations',
        src: 'changeConversations',
        input: ({context: {sent, isCompared}}) => ({
          changes: sent.map(({change}) => change),
          previous: isCompared ? sent.map(({previous}) => previous) : undefined,
        }),
        onDone: {target: 'settled', actions: ['report']},
        onError: {target: 'settled', actions: [{type: 'reportFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'settled', actions: [{type: 'reportFailure', params: timeout}]}},
    },
    settled: {type: 'final'},
  },
})
