import {Observable} from 'rxjs'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import type {ChatApi} from '#api/chat.ts'
import {conversation as answerSchema} from '#contract/chat.ts'
import {stays} from '#domain/conversation.ts'
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
import type {RootDeps} from '../logic/root-deps.ts'
import {deletePending, takeCopy} from './delete-pending.ts'

export type ChangesDeps = {chat: Pick<ChatApi, 'command' | 'cutHistory'>} & Pick<
  RootDeps,
  'tabs' | 'leadership' | 'timers' | 'log'
>

/** Milliseconds in which the other tabs hear what became of a deletion before one of them has it in hand. */
const holdRest = 1_000
/** Before a message's id, where a tab says what the others have not: it is not deleted. */
const restored = 'restored/'
/** Before a message's id, where a tab that reads of its deletion asks whether it was taken back meanwhile. */
const asked = 'removing/'

/** Those of a list, by conversation; they end with it. */
const opened = new WeakMap<ConversationListActor, Map<string, MessageChangesActor>>()

/** The actor that changes this conversation, the same one while the user is signed in. */
export function openChanges(deps: ChangesDeps, place: ChangesPlace): MessageChangesActor {
  const {list, conversation} = place
  const actors = opened.get(list) ?? new Map<string, MessageChangesActor>()
  const running = actors.get(conversation)
  if (running !== undefined) return running
  if (!opened.has(list)) endWith(deps, list, actors)
  opened.set(list, actors)
  const unconfirmed = (messagesIn(place) ?? []).flatMap((message) => (stays(message) ? [] : (message.id ?? [])))
  const actor = createActor(createLogic(deps, place), {input: {unconfirmed}}).start()
  actors.set(conversation, actor)
  // what the storage said when this page read it may be over
  for (const message of unconfirmed) tellTabs(deps, conversation, asked + message)
  if (isReachable(list)) actor.send({type: 'connection.restored'})
  return actor
}

/** The server could be asked lately, with a credential. */
const isReachable = (list: ConversationListActor) => list.getSnapshot().matches('success')

const messagesIn = ({list, conversation}: Pick<ChangesPlace, 'list' | 'conversation'>) =>
  selectItem(list.getSnapshot(), conversation)?.messages

function endWith(deps: ChangesDeps, list: ConversationListActor, actors: Map<string, MessageChangesActor>) {
  const {environment} = list.getSnapshot().context
  const toAll = (event: MessageChangesEvent) => {
    for (const actor of actors.values()) actor.send(event)
  }
  const resume = () => {
    if (isReachable(list)) toAll({type: 'connection.restored'})
  }
  const heard = [
    environment.on('page.leaving', toAll),
    environment.on('connection.restored', resume),
    // a server that could not be reached, though there was a network
    environment.on('page.shown', resume),
    deps.tabs.facts$.subscribe((fact) => {
      if (fact.type !== 'conversation.heard') return
      const {id: conversation, last} = fact
      if (last.startsWith(restored))
        actors.get(conversation)?.send({type: 'message.restored', message: last.slice(restored.length)})
      if (!last.startsWith(asked)) return
      const message = messagesIn({list, conversation})?.find(({id}) => id === last.slice(asked.length))
      if (message?.removing === false) tellTabs(deps, conversation, restored + message.id)
    }),
  ]
  const seen = new Map<string, unknown>()
  const hasChanged = (conversation: string) => {
    const messages = messagesIn({list, conversation})
    const before = seen.get(conversation)
    seen.set(conversation, messages)
    return before !== undefined && before !== messages
  }
  let wasReachable = isReachable(list)
  list.subscribe({
    next: () => {
      const isBack = isReachable(list) && !wasReachable
      wasReachable = isReachable(list)
      if (isBack) resume()
      for (const [conversation, actor] of actors) {
        tellGone({list, conversation}, actor)
        if (isReachable(list) && hasChanged(conversation)) actor.send({type: 'connection.restored'})
      }
    },
    complete: () => {
      for (const each of heard) each.unsubscribe()
      for (const actor of actors.values()) actor.stop()
    },
  })
}

/** `last`: no message has this id, so that every tab reads the conversation again. */
const tellTabs = ({tabs}: Pick<ChangesDeps, 'tabs'>, conversation: string, last: string) =>
  tabs.tell({type: 'conversation.heard', id: conversation, last, isSettled: true})

/** A question that was asked took the deletions with it. */
function tellGone(place: Pick<ChangesPlace, 'list' | 'conversation'>, actor: MessageChangesActor) {
  const {removing, unconfirmed} = actor.getSnapshot().context
  const pending = [...removing, ...unconfirmed]
  const messages = pending.length === 0 ? undefined : messagesIn(place)
  const gone = pending.filter((id) => messages?.every((message) => message.id !== id))
  if (messages !== undefined && gone.length > 0) actor.send({type: 'messages.gone', messages: gone})
}

/** Of the tabs of a browser one has the deletion of a message in hand: the one that is first in its line. */
const hold$ = ({leadership, timers, log}: ChangesDeps, list: ConversationListActor, message: string) =>
  new Observable<MessageChangesEvent>((subscriber) => {
    const takeOver = () => {
      subscriber.next({type: 'removal.ours', message})
      if (isReachable(list)) subscriber.next({type: 'connection.restored'})
    }
    const standing = leadership(`atrium.removal.${message}`, {isClaiming: false}).subscribe({
      // meanwhile the other tabs say whether they took it back
      next: ({type}) => type === 'leader.won' && timers.setTimeout(takeOver, holdRest),
      error: (error: unknown) => {
        log('The tabs do not know of each other what they delete', {error: String(error)})
        takeOver()
      },
    })
    return () => void timers.setTimeout(() => standing.unsubscribe(), holdRest)
  })

function createLogic(deps: ChangesDeps, {list, conversation, onBranch}: ChangesPlace) {
  const {chat, tabs, log} = deps
  /** Our extension `versions`: a change that asks nothing. Answers with the conversation as it is then. */
  const changeMessages = (body: object, options: {signal: AbortSignal; keepsAlive?: boolean}) =>
    chat.command(answerSchema, {...body, id: conversation}, {isLenient: true, ...options})
  const tell = (last: string) => tellTabs(deps, conversation, last)
  const tellChanged = (message: string) => tell(`changed/${message}`)
  const change = async (input: MessageChange, signal: AbortSignal) => {
    const copy = await changeMessages(input, {signal})
    takeCopy(list, copy)
    if (input.action === 'branch') onBranch(copy.id)
    else tellChanged(input.message)
  }
  return messageChangesMachine.provide({
    actors: {
      changeConversation: fromPromise<void, MessageChange | undefined>(async ({input, signal}) => {
        if (input !== undefined) await change(input, signal)
      }),
      deletePending: fromPromise<void, undefined>(({signal}) =>
        deletePending({chat, tabs, list}, [conversation], signal),
      ),
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
            takeCopy(list, await copy)
            tellChanged(message)
          }),
        },
      }),
    },
    actions: {
      mark: (_, {key: message, isRemoving: removing}) => {
        const own = selectItem(list.getSnapshot(), conversation)
        if (own === undefined) return
        const messages = own.messages.map((each) => (each.id === message ? {...each, removing} : each))
        const record = {...own, messages, updatedAt: own.updatedAt + 1}
        list.send({type: 'finding.settled', key: conversation, record})
      },
      tellRestored: (_, {key: message}) => tell(restored + message),
      logFailure: (_, {error}) => log('A conversation was not changed', {...toFailure(error)}),
    },
  })
}
