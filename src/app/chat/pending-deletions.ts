import {Observable} from 'rxjs'
import {fromEventObservable} from 'xstate'
import {stays} from '#domain/conversation.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {DeletionsSettled} from '#machines/message-changes/message-changes.types.ts'
import {pendingDeletionsMachine} from '#machines/pending-deletions/pending-deletions.machine.ts'

/** @param list of the conversations that are copied; undefined where nothing is copied from the server */
export const createPendingDeletionsLogic = (
  list: () => ConversationListActor | undefined,
  openChanges: ChatPorts['openChanges'],
) =>
  pendingDeletionsMachine.provide({
    actors: {
      requestDeletions: fromEventObservable<DeletionsSettled, {conversation: string}>(({input}) =>
        settledDeletions(list(), input.conversation, openChanges),
      ),
    },
  })

const settledDeletions = (
  list: ConversationListActor | undefined,
  key: string,
  openChanges: ChatPorts['openChanges'],
) =>
  new Observable<DeletionsSettled>((subscriber) => {
    const {id, messages = []} = (list && selectItem(list.getSnapshot(), key)) ?? {}
    if (list === undefined || id === undefined || messages.every(stays)) {
      subscriber.next({type: 'deletions.settled'})
      return
    }
    openChanges({list, conversation: id}).then(
      (changes) => {
        if (subscriber.closed) return
        if (changes === undefined) {
          subscriber.error(new Error('The list has ended'))
          return
        }
        subscriber.add(changes.on('deletions.settled', (fact) => subscriber.next(fact)))
        subscriber.add(changes.subscribe({complete: () => subscriber.complete()}))
        changes.send({type: 'deletions.request'})
      },
      (error: unknown) => subscriber.error(error),
    )
  })
