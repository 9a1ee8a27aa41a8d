import {restoredMessage, type TabFact, type Tabs} from '#browser/tabs.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ChangesPlace} from '#features/chat/chat.context.tsx'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {createOnce} from '../logic/app-actors.ts'

/** `early`: what other tabs took back before this was loaded. */
export type RestoredDeps = {tabs: Pick<Tabs, 'facts$' | 'tell'>; early: TabFact[]}

/** Before a message's id, where a tab that reads of its deletion asks whether it was taken back meanwhile. */
const removalPrefix = 'removing/'

export const changesId = (conversation: string) => `messageChanges/${conversation}`

/** `last`: no message has this id, so that every tab reads the conversation again. */
export const tellTabs = ({tabs}: {tabs: Pick<Tabs, 'tell'>}, conversation: string, last: string) =>
  tabs.tell({type: 'conversation.heard', id: conversation, last, isSettled: true})

export const tellRestored = (deps: {tabs: Pick<Tabs, 'tell'>}, conversation: string, message: string) =>
  tellTabs(deps, conversation, restoredMessage + message)

/** Asks the other tabs: the storage may have said something else when this page read it. */
export const askForRestored = (deps: {tabs: Pick<Tabs, 'tell'>}, conversation: string, message: string) =>
  tellTabs(deps, conversation, removalPrefix + message)

const isMarked = (record: ConversationRecord | undefined, message: string, mark: boolean) =>
  record?.messages.some(({id, removing}) => id === message && removing === mark) === true

/** The conversation with a message that is deleted, or is not; undefined where it is not listed. */
export function markedRecord({list, conversation}: ChangesPlace, message: string, removing: boolean) {
  const own = selectItem(list.getSnapshot(), conversation)
  if (own === undefined) return undefined
  const messages = own.messages.map((each) => (each.id === message ? {...each, removing} : each))
  return {...own, messages, updatedAt: own.updatedAt + 1}
}

/** This page has the deletion in hand itself. */
const isOwn = ({list, conversation}: ChangesPlace, message: string) =>
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
      const place = {list, conversation}
      const isHere = isMarked(selectItem(list.getSnapshot(), conversation), message, true) && !isOwn(place, message)
      const record = isHere ? markedRecord(place, message, false) : undefined
      if (record !== undefined) list.send({type: 'finding.settled', key: conversation, record})
    }
    const hear = (fact: TabFact) => {
      if (fact.type !== 'conversation.heard') return
      const {id: conversation, last} = fact
      if (last.startsWith(restoredMessage)) show(conversation, last.slice(restoredMessage.length))
      const message = last.startsWith(removalPrefix) ? last.slice(removalPrefix.length) : undefined
      if (message === undefined || !isMarked(selectItem(list.getSnapshot(), conversation), message, false)) return
      tellRestored(deps, conversation, message)
    }
    for (const fact of deps.early.splice(0)) hear(fact)
    const subscription = deps.tabs.facts$.subscribe((fact) => {
      deps.early.length = 0
      hear(fact)
    })
    const end = () => subscription.unsubscribe()
    list.subscribe({complete: end, error: end})
  })
