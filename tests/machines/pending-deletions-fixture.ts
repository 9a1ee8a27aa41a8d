import {concat, defer, NEVER, of} from 'rxjs'
import {fromEventObservable} from 'xstate'
import type {DeletionsSettled} from '#machines/message-changes/message-changes.types.ts'
import {pendingDeletionsMachine} from '#machines/pending-deletions/pending-deletions.machine.ts'

/**
 * Deletions that are settled at once by these facts, in turn; then none is reported any more. `asked`: conversations.
 */
export function settledBy(facts: readonly DeletionsSettled[] | 'always done') {
  const asked: string[] = []
  const logic = pendingDeletionsMachine.provide({
    actors: {
      requestDeletions: fromEventObservable<DeletionsSettled, {conversation: string}>(({input: {conversation}}) =>
        defer(() => {
          asked.push(conversation)
          const fact = facts === 'always done' ? ({type: 'deletions.settled'} as const) : facts[asked.length - 1]
          return fact === undefined ? NEVER : concat(of(fact), NEVER)
        }),
      ),
    },
  })
  return {asked, logic}
}
