import type {ChatApi} from '#api/chat.ts'
import type {KeptPaths} from '#browser/kept-paths.ts'
import type {KeptVersions} from '#browser/kept-versions.ts'
import type {Tabs} from '#browser/tabs.ts'
import type {Conversation} from '#contract/chat.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {conversationPath} from '#contract/conversation-path.ts'
import {isUnapplied, toFailure} from '#domain/failure.ts'
import {hiddenPath, isVersionsName} from '#domain/hidden-versions.ts'
import {mergeMessage} from '#domain/merge-conversation.ts'
import {isVersionOf, lastStored, unsentName} from '#domain/versions.ts'
import type {ChangesTarget} from '#features/chat/chat.context.tsx'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectConversation, selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {MessageChange} from '#machines/message-changes/message-changes.types.ts'
import {takeCopy} from './delete-pending.ts'

type PathDeps = {
  chat: Pick<ChatApi, 'command'>
  tabs: Pick<Tabs, 'tell'>
  keptPaths: Pick<KeptPaths, 'keep' | 'find' | 'forget'>
  /** Those that the search read. */
  keptVersions: Pick<KeptVersions, 'names' | 'read'>
  /** Our extension `versions`: a change that asks nothing. Answers with the conversation as it is then. */
  changeMessages: (body: object, options: {signal: AbortSignal}) => Promise<Conversation>
}

const actorIn = ({list, conversation}: ChangesTarget) => selectConversation(list.getSnapshot(), conversation)

const visitIn = (target: ChangesTarget) => {
  const snapshot = actorIn(target)?.getSnapshot()
  return snapshot?.matches('visiting') === true ? snapshot : undefined
}

type PathChange = Extract<MessageChange, {action: 'select' | 'edit'}>

/** A message that is deleted here, and not yet on the server, is deleted on each path that it stands on. */
const withDeletions = ({list, conversation}: ChangesTarget, messages: RecordMessage[]) =>
  messages.map((message) => {
    const own = selectItem(list.getSnapshot(), conversation)?.messages.find(({id}) => id != null && id === message.id)
    return own === undefined ? message : mergeMessage(own, message)
  })

/** The version of this name, which no server had, is shown; it may be gone by now. */
const isUnsentShown = (target: ChangesTarget, name: string) => {
  const last = visitIn(target)?.context.messages.at(-1)
  return last?.unsent === true && last.id === name
}

/** The message whose path the thread shows without having chosen it. */
export const visitedMessage = (target: ChangesTarget): string | undefined => visitIn(target)?.context.visit?.message

/** The messages of a conversation as its thread shows them. */
export function shownMessages(list: ConversationListActor | undefined, {key, messages}: ConversationRecord) {
  const visit = list && visitIn({list, conversation: key})
  return visit === undefined ? messages : selectMessages(visit)
}

/** The messages before such a one, on the path that is shown or on that which is chosen. */
function pathWith(target: ChangesTarget, isLooked: (message: RecordMessage) => boolean): RecordMessage[] | undefined {
  const snapshot = actorIn(target)?.getSnapshot()
  const paths = [snapshot?.context.messages, snapshot?.context.visit?.chosen]
  const path = paths.find((messages) => messages?.some(isLooked))
  return path?.slice(0, path.findIndex(isLooked))
}

/** Versions that no server has go on as questions of their own, behind the chosen path. */
export function showAtEnd({list, conversation}: ChangesTarget, versions: readonly RecordMessage[][]): void {
  const item = selectItem(list.getSnapshot(), conversation)
  if (item === undefined) return
  const record = {...item, messages: [...item.messages, ...versions.flat()], revision: undefined}
  list.send({type: 'conversation.loaded', record})
}

/** The paths of one conversation: what is read, and what is chosen on the server (decision 172). */
export function createPaths({chat, tabs, keptPaths, keptVersions, changeMessages}: PathDeps, target: ChangesTarget) {
  const {list, conversation} = target
  const show = (message: string, messages: RecordMessage[]) =>
    actorIn(target)?.send({type: 'path.show', message, messages: withDeletions(target, messages)})
  const leave = () => {
    if (visitIn(target) !== undefined) actorIn(target)?.send({type: 'path.leave'})
  }
  /** The thread goes on with the path that the server has chosen with this change. */
  const choose = async (body: object, signal: AbortSignal) => {
    takeCopy(list, await changeMessages(body, {signal}))
    leave()
    tabs.tell({type: 'conversation.heard', id: conversation, isSettled: true})
  }
  const change = async (input: PathChange, signal: AbortSignal) => {
    const snapshot = input.action === 'edit' ? visitIn(target) : undefined
    const end = snapshot && lastStored(selectMessages(snapshot))
    if (end !== undefined) await choose({action: 'select', message: end}, signal)
    await choose(input, signal)
  }
  /** Shows a version that no server has, behind what stands before its other versions. False: there is none. */
  const showUnsent = async (name: string, signal: AbortSignal): Promise<boolean> => {
    const version = selectItem(list.getSnapshot(), conversation)?.unsentVersions?.find(
      (each) => unsentName(each) === name,
    )
    const [first] = version ?? []
    if (version === undefined || first?.versions == null) return false
    const find = () => pathWith(target, (message) => isVersionOf(message, first))
    const isThere = find() !== undefined || (await reach(first.versions, signal))
    // an answer alone has no position without its question, and no words: nothing leads to it any more
    if (!isThere && first.role === 'assistant') {
      forget(version)
      return false
    }
    if (!isThere) showAtEnd(target, [version])
    const before = find()
    if (isThere && before !== undefined) show(name, [...before, ...version])
    return before !== undefined
  }
  /** Shows a path of one of these messages, the newest that is there. False: all of them are deleted. */
  const reach = async (messages: readonly string[], signal: AbortSignal): Promise<boolean> => {
    const message = messages.at(-1)
    if (message === undefined) return false
    try {
      await orKept(visit(message, signal), message)
      return true
    } catch (error) {
      const {status, lost} = toFailure(error)
      const isElsewhere = (status === 404 || lost === true) && (await reach(messages.slice(0, -1), signal))
      if (!isElsewhere && status !== 404) throw error
      return isElsewhere
    }
  }
  /** Without the versions beside it there is nothing to show instead: it stays. */
  const chooseBeside = async ([first]: readonly RecordMessage[], signal: AbortSignal) => {
    for (const message of first?.versions ?? []) {
      const isGone = await choose({action: 'select', message}, signal).then(
        () => false,
        (error: unknown) => {
          if (toFailure(error).status !== 404) throw error
          return true
        },
      )
      if (!isGone) return
    }
    throw new Error('The server has no version to show instead')
  }
  /** Here and in the other tabs. */
  const forget = (version: RecordMessage[]) => {
    const fact = {type: 'unsent.heard' as const, id: conversation, was: [version], versions: []}
    list.send(fact)
    tabs.tell(fact)
  }
  /** Deletes a version that no server has. False: there is none. */
  const dropUnsent = async (name: string, signal: AbortSignal): Promise<boolean> => {
    const {unsentVersions, messages = []} = selectItem(list.getSnapshot(), conversation) ?? {}
    const version = unsentVersions?.find((each) => unsentName(each) === name)
    if (version === undefined) return false
    if (messages.some(({id, unsent}) => unsent === true && id === name)) await chooseBeside(version, signal)
    if (isUnsentShown(target, name)) leave()
    forget(version)
    return true
  }
  const visit = async (message: string, signal: AbortSignal) => {
    if (!list.getSnapshot().context.capabilities.includes('paths')) {
      await choose({action: 'select', message}, signal)
      return
    }
    const body = {action: 'retrieve', id: conversation, message}
    const reading = chat.command(conversationPath, body, {signal, isRead: true, isLenient: true, isKept: true})
    const copy = await reading.catch(async (error: unknown) => {
      if (toFailure(error).status === 404) {
        leave()
        await keptPaths.forget([message])
      }
      throw error
    })
    if (copy.chosen === false) {
      show(message, copy.messages)
      await keptPaths.keep(copy.messages)
      return
    }
    takeCopy(list, copy)
    leave()
  }
  const findHidden = async (message: string) => {
    const record = selectItem(list.getSnapshot(), conversation)
    const name = (await keptVersions.names())[record?.id ?? '']
    if (record?.id === undefined || name === undefined || !isVersionsName(record, name)) return undefined
    const hiddenMessages = await keptVersions.read([{id: record.id, name}])
    return hiddenPath(record, hiddenMessages.get(record.id) ?? [], message)
  }
  /**
   * Shows the path through a message as far as this device has it, and chooses nothing. False: it does not.
   * @param isPaged to the one that was left last, which may not be the chosen one
   */
  const showKept = async (message: string, isPaged: boolean) => {
    const chosenMessages = selectItem(list.getSnapshot(), conversation)?.messages ?? []
    const isChosen = (name: string | null | undefined) => chosenMessages.some(({id}) => id != null && id === name)
    await keepShown()
    const messages = isPaged || !isChosen(message) ? await keptPaths.find(message, chosenMessages) : undefined
    if (isChosen(message) && (messages === undefined || isChosen(messages.at(-1)?.id))) {
      leave()
      return true
    }
    const path = messages ?? (await findHidden(message))
    if (path !== undefined) show(message, path)
    return path !== undefined
  }
  /** The path that is left is the newest of those that are kept. One that ends in no server's message is not whole. */
  const keepShown = async () => {
    const snapshot = actorIn(target)?.getSnapshot()
    const messages = snapshot === undefined ? [] : selectMessages(snapshot)
    if (messages.every(({unsent}) => unsent !== true)) await keptPaths.keep(messages)
  }
  const orKept = (reading: Promise<void>, message: string, isPaged = false) =>
    reading.catch(async (error: unknown) => {
      const failure = toFailure(error)
      const isUnanswered = failure.lost === true || isUnapplied(failure)
      if (!isUnanswered || !(await showKept(message, isPaged))) throw error
    })
  return {
    dropUnsent,
    /**
     * Another version, or another text: of a path that is only visited the text is saved there, so it is chosen first.
     * Without an answer of the server a version that is kept here is visited.
     */
    change: async (input: PathChange, signal: AbortSignal): Promise<void> => {
      if (input.action === 'edit') return change(input, signal)
      if (!(await showUnsent(input.message, signal))) await orKept(change(input, signal), input.message, true)
    },
    /**
     * Shows the path through a message. A server without the capability `paths` chooses it; without an answer the path
     * that is kept here is shown.
     */
    visit: async ({message}: {message: string}, signal: AbortSignal): Promise<void> => {
      if (await showUnsent(message, signal)) return
      if (isUnsentShown(target, message)) leave()
      else await orKept(visit(message, signal), message)
    },
  }
}
