import type {RemovalFact, TabFact, Tabs} from '#browser/tabs.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ChangesTarget} from '#features/chat/chat.context.tsx'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {createOnce} from '../logic/app-actors.ts'

/** `early`: what other tabs took back before this was loaded. */
export type RestoredDeps = {tabs: Pick<Tabs, 'facts$' | 'tell'>; early: RemovalFact[]}

export const changesId = (conversation: string) => `messageChanges/${conversation}`

const isMarked = (record: ConversationRecord | undefined, message: string, mark: boolean) =>
  record?.messages.some(({id, removing}) => id === message && removing === mark) === true

/**
 * The conversation with a message that is deleted, or is not; undefined where it is not listed. One that no server has
 * is not marked: nothing is sent for it.
 */
export function markedRecord({list, conversation}: ChangesTarget, message: string, removing: boolean) {
  const own = selectItem(list.getSnapshot(), conversation)
  if (own?.messages.some(({id, unsent}) => id === message && unsent !== true) !== true) return undefined
  const messages = own.messages.map((each) => (each.id === message ? {...each, removing} : each))
  return {...own, messages, updatedAt: own.updatedAt + 1}
}

/** This page has the deletion in hand itself. */
const isOwn = ({list, conversation}: ChangesTarget, message: string) =>
  findActor<MessageChangesActor>(list.system, changesId(conversation))
    ?.getSnapshot()
    .context.removing.includes(message) === true

const once = createOnce()

/**
 * As long as the list lives, whichever threads are open: what another tab took back is deleted here no more, and a tab
 * that asks hears what was taken back here (decision 91).
 */
export const followRestored = (deps: RestoredDeps, list: ConversationListActor): void =>
  once(list, () => {
    const show = (conversation: string, message: string) => {
      const target = {list, conversation}
      const isHere = isMarked(selectItem(list.getSnapshot(), conversation), message, true) && !isOwn(target, message)
      const record = isHere ? markedRecord(target, message, false) : undefined
      if (record !== undefined) list.send({type: 'conversation.loaded', record})
    }
    const answer = (conversation: string, message: string) => {
      if (isMarked(selectItem(list.getSnapshot(), conversation), message, false))
        deps.tabs.tell({type: 'message.restored', conversation, message})
    }
    const hear = (fact: TabFact) => {
      if (fact.type === 'message.restored') show(fact.conversation, fact.message)
      if (fact.type === 'removal.asked') answer(fact.conversation, fact.message)
    }
    for (const fact of deps.early.splice(0)) hear(fact)
    const subscription = deps.tabs.facts$.subscribe((fact) => {
      deps.early.length = 0
      hear(fact)
    })
    const end = () => subscription.unsubscribe()
    list.subscribe({complete: end, error: end})
  })
