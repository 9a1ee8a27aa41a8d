import {createActor, fromPromise} from 'xstate'
import type {ChatApi} from '#api/chat.ts'
import type {Tabs} from '#browser/tabs.ts'
import {conversation as answerSchema, type Conversation} from '#contract/chat.ts'
import {toRecord} from '#domain/conversation.ts'
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
  const actor = createActor(createLogic(deps, place)).start()
  actors.set(conversation, actor)
  return actor
}

function endWith(list: ConversationListActor, actors: Map<string, MessageChangesActor>) {
  const leaving = list.getSnapshot().context.environment.on('page.leaving', () => {
    for (const actor of actors.values()) actor.send({type: 'page.leaving'})
  })
  list.subscribe({
    complete: () => {
      leaving.unsubscribe()
      for (const actor of actors.values()) actor.stop()
    },
  })
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
            take(await changeMessages({action: 'remove', message}, {signal, keepsAlive: true}))
            tellChanged(message)
          }),
        },
      }),
    },
    actions: {logFailure: (_, {error}) => log('A conversation was not changed', {...toFailure(error)})},
  })
}
