import {createActor, fromPromise} from 'xstate'
import type {ChatApi} from '#api/chat.ts'
import type {Tabs} from '#browser/tabs.ts'
import {conversation as answerSchema, type Conversation} from '#contract/chat.ts'
import {stays, toRecord} from '#domain/conversation.ts'
import {toFailure} from '#domain/failure.ts'
import type {Log} from '#domain/log.ts'
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

export type ChangesDeps = {
  chat: Pick<ChatApi, 'command'>
  tabs: Pick<Tabs, 'tell'>
  log: Log
}
/** Those of a list, by conversation; they end with it. */
const opened = new WeakMap<ConversationListActor, Map<string, MessageChangesActor>>()

/** The actor that changes this conversation, the same one while the user is signed in. */
export function openChanges(deps: ChangesDeps, place: ChangesPlace): MessageChangesActor {
  const {list, conversation} = place
  const actors = opened.get(list) ?? new Map<string, MessageChangesActor>()
  const running = actors.get(conversation)
  if (running !== undefined) return running
  if (!opened.has(list)) endWith(list, actors)
  opened.set(list, actors)
  const unconfirmed = (messagesIn(place) ?? []).flatMap((message) => (stays(message) ? [] : (message.id ?? [])))
  const actor = createActor(createLogic(deps, place), {input: {unconfirmed}}).start()
  actors.set(conversation, actor)
  if (isReachable(list)) actor.send({type: 'connection.restored'})
  return actor
}

/** The server could be asked lately, with a credential. */
const isReachable = (list: ConversationListActor) => list.getSnapshot().matches('success')

const messagesIn = ({list, conversation}: Pick<ChangesPlace, 'list' | 'conversation'>) =>
  selectItem(list.getSnapshot(), conversation)?.messages

function endWith(list: ConversationListActor, actors: Map<string, MessageChangesActor>) {
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

/** A question that was asked took the deletions with it. */
function tellGone(place: Pick<ChangesPlace, 'list' | 'conversation'>, actor: MessageChangesActor) {
  const {removing, unconfirmed} = actor.getSnapshot().context
  const pending = [...removing, ...unconfirmed]
  const messages = pending.length === 0 ? undefined : messagesIn(place)
  const gone = pending.filter((id) => messages?.every((message) => message.id !== id))
  if (messages !== undefined && gone.length > 0) actor.send({type: 'messages.gone', messages: gone})
}

function createLogic({chat, tabs, log}: ChangesDeps, {list, conversation, onBranch}: ChangesPlace) {
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
  const tellChanged = (message: string) =>
    tabs.tell({type: 'conversation.heard', id: conversation, last: `changed/${message}`, isSettled: true})
  const change = async (input: MessageChange, signal: AbortSignal) => {
    const copy = await changeMessages(input, {signal})
    take(copy)
    if (input.action === 'branch') onBranch(copy.id)
    else tellChanged(input.message)
  }
  return messageChangesMachine.provide({
    actors: {
      changeConversation: fromPromise<void, MessageChange | undefined>(async ({input, signal}) => {
        if (input !== undefined) await change(input, signal)
      }),
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
      mark: (_, {key: message, isRemoving: removing}) => {
        const own = selectItem(list.getSnapshot(), conversation)
        if (own === undefined) return
        const messages = own.messages.map((each) => (each.id === message ? {...each, removing} : each))
        const record = {...own, messages, updatedAt: own.updatedAt + 1}
        list.send({type: 'finding.settled', key: conversation, record})
      },
      logFailure: (_, {error}) => log('A conversation was not changed', {...toFailure(error)}),
    },
  })
}
