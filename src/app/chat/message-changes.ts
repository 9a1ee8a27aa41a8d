import {Observable} from 'rxjs'
import {enqueueActions, fromEventObservable, fromPromise} from 'xstate'
import type {ChatApi} from '#api/chat.ts'
import {conversation as answerSchema, type Conversation} from '#contract/chat.ts'
import {stays, toRecord, type ConversationRecord} from '#domain/conversation.ts'
import {toFailure} from '#domain/failure.ts'
import type {ChangesPlace} from '#features/chat/chat.context.tsx'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {
  messageChangesMachine,
  type MessageChange,
  type MessageChangesActor,
  type MessageChangesEvent,
} from '#machines/message-changes/message-changes.machine.ts'
import {openPart} from '../logic/open-part.ts'
import type {RootDeps} from '../logic/root-deps.ts'

export type ChangesDeps = {chat: Pick<ChatApi, 'command'>} & Pick<RootDeps, 'tabs' | 'leadership' | 'timers' | 'log'>

/** Milliseconds in which the other tabs hear what became of a deletion before one of them has it in hand. */
const holdRest = 1_000
/** Before a message's id, where a tab says what the others have not: it is not deleted. */
const restored = 'restored/'

/** The actor that changes this conversation: the same one for all that shows it. */
export const openChanges = (deps: ChangesDeps, place: ChangesPlace): MessageChangesActor | undefined =>
  openPart(place.list.system, `messageChanges/${place.conversation}`, () => ({
    machine: createLogic(deps, place),
    input: {unconfirmed: (messagesIn(place) ?? []).flatMap((message) => (stays(message) ? [] : (message.id ?? [])))},
  }))

/** The server could be asked lately, with a credential. */
const isReachable = (list: ConversationListActor) => list.getSnapshot().matches('success')

const messagesIn = ({list, conversation}: ChangesPlace) => selectItem(list.getSnapshot(), conversation)?.messages

const idsOf = (messages: ConversationRecord['messages']) => messages.flatMap(({id}) => id ?? [])

/** What concerns the changes of one conversation, until the list ends. */
const facts$ = ({tabs}: ChangesDeps, place: ChangesPlace) =>
  new Observable<MessageChangesEvent>((subscriber) => {
    const {list, conversation} = place
    const {environment} = list.getSnapshot().context
    const resume = () => {
      if (isReachable(list)) subscriber.next({type: 'connection.restored'})
    }
    let wasReachable = isReachable(list)
    let lastMessages = messagesIn(place)
    const look = () => {
      const isBack = isReachable(list) && !wasReachable
      wasReachable = isReachable(list)
      const messages = messagesIn(place)
      const isOther = messages !== undefined && messages !== lastMessages
      lastMessages = messages
      if (isOther) subscriber.next({type: 'messages.listed', messages: idsOf(messages)})
      if (isBack || isOther) resume()
    }
    const heard = [
      environment.on('page.leaving', (event) => subscriber.next(event)),
      environment.on('connection.restored', resume),
      // a server that could not be reached, though there was a network
      environment.on('page.shown', resume),
      tabs.facts$.subscribe((fact) => {
        if (fact.type !== 'conversation.heard' || fact.id !== conversation || !fact.last.startsWith(restored)) return
        subscriber.next({type: 'message.restored', message: fact.last.slice(restored.length)})
      }),
      list.subscribe({next: look, complete: () => subscriber.complete(), error: () => subscriber.complete()}),
    ]
    resume()
    return () => {
      for (const each of heard) each.unsubscribe()
    }
  })

/** Of the tabs of a browser one has the deletion of a message in hand: the one that is first in its line. */
const hold$ = ({leadership, timers, log}: ChangesDeps, list: ConversationListActor, message: string) =>
  new Observable<MessageChangesEvent>((subscriber) => {
    const takeOver = () => {
      subscriber.next({type: 'removal.ours', message})
      if (isReachable(list)) subscriber.next({type: 'connection.restored'})
    }
    const standing = leadership(`atrium.removal.${message}`, {isClaiming: false}).subscribe({
      next: ({type}) => type === 'leader.won' && takeOver(),
      error: (error: unknown) => {
        log('The tabs do not know of each other what they delete', {error: String(error)})
        takeOver()
      },
    })
    return () => void timers.setTimeout(() => standing.unsubscribe(), holdRest)
  })

function createLogic(deps: ChangesDeps, place: ChangesPlace) {
  const {list, conversation} = place
  const {chat, tabs, log} = deps
  /** Our extension `versions`: a change that asks nothing. Answers with the conversation as it is then. */
  const changeMessages = (body: object, options: {signal: AbortSignal; keepsAlive?: boolean}) =>
    chat.command(answerSchema, {...body, id: conversation}, {isLenient: true, ...options})
  /** The server's copy is the younger one, whatever the clocks say: what it lacks is deleted. */
  const take = (copy: Conversation) => {
    const own = selectItem(list.getSnapshot(), copy.id)
    const record = toRecord(copy, own?.model ?? '')
    const updatedAt = Math.max(record.updatedAt, (own?.updatedAt ?? 0) + 1)
    list.send({type: 'finding.settled', key: copy.id, record: {...record, updatedAt}})
  }
  /** `last`: no message has this id, so that every tab reads the conversation again. */
  const tell = (last: string) => tabs.tell({type: 'conversation.heard', id: conversation, last, isSettled: true})
  const tellChanged = (message: string) => tell(`changed/${message}`)
  const change = async (input: MessageChange, signal: AbortSignal) => {
    const copy = await changeMessages(input, {signal})
    take(copy)
    if (input.action === 'branch') return copy.id
    tellChanged(input.message)
    return undefined
  }
  return messageChangesMachine.provide({
    actors: {
      changeConversation: fromPromise<string | undefined, MessageChange | undefined>(async ({input, signal}) =>
        input === undefined ? undefined : change(input, signal),
      ),
      followConversation: fromEventObservable<MessageChangesEvent, undefined>(() => facts$(deps, place)),
      holdRemoval: fromEventObservable<MessageChangesEvent, {message: string}>(({input}) =>
        hold$(deps, list, input.message),
      ),
      removal: removalMachine.provide({
        actors: {
          remove: fromPromise<void, {id: string}>(async ({input: {id: message}, signal}) => {
            const options = {signal, keepsAlive: true}
            const copy = changeMessages({action: 'remove', message}, options).catch((error: unknown) => {
              // an earlier call's answer was lost: only the copy shows what stands in its place
              if (toFailure(error).status === 404) return changeMessages({action: 'retrieve'}, options)
              throw error
            })
            take(await copy)
            tellChanged(message)
          }),
        },
      }),
    },
    actions: {
      // enqueued, never sent inside an action: the list would run within it
      mark: enqueueActions(({enqueue}, {key: message, isRemoving: removing}) => {
        const own = selectItem(list.getSnapshot(), conversation)
        if (own === undefined) return
        const messages = own.messages.map((each) => (each.id === message ? {...each, removing} : each))
        const record = {...own, messages, updatedAt: own.updatedAt + 1}
        enqueue.sendTo(list, {type: 'finding.settled', key: conversation, record})
      }),
      tellRestored: (_, {key: message}) => tell(restored + message),
      logFailure: (_, {error}) => log('A conversation was not changed', {...toFailure(error)}),
    },
  })
}
