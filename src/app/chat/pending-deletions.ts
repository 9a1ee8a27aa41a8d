import {Observable} from 'rxjs'
import {fromEventObservable} from 'xstate'
import {stays} from '#domain/conversation.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import {chooseShown} from '#features/chat/choose-shown.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectConversation, selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {DeletionsSettled} from '#machines/message-changes/message-changes.types.ts'
import {pendingDeletionsMachine} from '#machines/pending-deletions/pending-deletions.machine.ts'

/**
 * @param list of the conversations that are copied; undefined where nothing is copied from the server
 * @param isOfShown the server copies the path that it has chosen: one that the user reads is chosen first
 */
export const createPendingDeletionsLogic = (
  list: () => ConversationListActor | undefined,
  openChanges: ChatPorts['openChanges'],
  isOfShown = false,
) =>
  pendingDeletionsMachine.provide({
    actors: {
      requestDeletions: fromEventObservable<DeletionsSettled, {conversation: string}>(({input}) =>
        settledDeletions(list(), input.conversation, openChanges, isOfShown),
      ),
    },
  })

const settledDeletions = (
  list: ConversationListActor | undefined,
  key: string,
  openChanges: ChatPorts['openChanges'],
  isOfShown: boolean,
) =>
  new Observable<DeletionsSettled>((subscriber) => {
    const {id, messages = []} = (list && selectItem(list.getSnapshot(), key)) ?? {}
    const actor = list && isOfShown ? selectConversation(list.getSnapshot(), key) : undefined
    const isVisiting = actor?.getSnapshot().matches('visiting') === true
    if (list === undefined || id === undefined || (messages.every(stays) && !isVisiting)) {
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
        const request = () => changes.send({type: 'deletions.request'})
        if (actor === undefined) return request()
        chooseShown(changes, actor, (isChosen) => {
          if (isChosen) request()
          else subscriber.error(new Error('The server did not choose what is shown'))
        })
      },
      (error: unknown) => subscriber.error(error),
    )
  })
