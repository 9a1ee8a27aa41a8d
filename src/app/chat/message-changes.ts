import {Observable} from 'rxjs'
import {enqueueActions, fromEventObservable, fromPromise} from 'xstate'
import type {ChatApi} from '#api/chat.ts'
import {createKeptPaths, type KeptPaths} from '#browser/kept-paths.ts'
import {createKeptVersions} from '#browser/kept-versions.ts'
import {conversation as answerSchema} from '#contract/chat.ts'
import {stays, toRecord, type ConversationRecord, type RecordMessage} from '#domain/conversation.ts'
import {toFailure} from '#domain/failure.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import {isVersionOf, unsentName} from '#domain/versions.ts'
import {askIn} from '#features/chat/ask-in-conversation.ts'
import type {ChangesTarget} from '#features/chat/chat.context.tsx'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {messageChangesMachine, type MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import type {MessageChange, MessageChangesEvent} from '#machines/message-changes/message-changes.types.ts'
import {removalHoldMachine} from '#machines/message-changes/removal-hold.machine.ts'
import {openPart} from '../logic/open-part.ts'
import type {RootDeps} from '../logic/root-deps.ts'
import {createPaths, showAtEnd, visitedMessage} from './conversation-paths.ts'
import {deletePending, takeCopy} from './delete-pending.ts'
import {changesId, followRestored, markedRecord, type RestoredDeps} from './restored-messages.ts'

export type ChangesDeps = {chat: Pick<ChatApi, 'command' | 'cutHistory' | 'retrieve'>} & RestoredDeps &
  Pick<RootDeps, 'leadership' | 'log'> & {bulk: Pick<RootDeps['bulk'], 'paths' | 'versions' | 'flush'>}

/** The actor that changes this conversation: the same one for all that shows it. */
export const openChanges = (deps: ChangesDeps, target: ChangesTarget): MessageChangesActor | undefined => {
  followRestored(deps, target.list)
  return openPart(target.list.system, changesId(target.conversation), () => ({
    machine: createLogic(deps, target),
    input: {unconfirmed: removingIn(target)},
  }))
}

/** The server could be asked lately, with a credential. */
const isReachable = (list: ConversationListActor) => list.getSnapshot().matches('success')

const messagesIn = ({list, conversation}: ChangesTarget) => selectItem(list.getSnapshot(), conversation)?.messages

/** Messages that are deleted, which the server may still have. */
const removingIn = (target: ChangesTarget) =>
  (messagesIn(target) ?? []).flatMap((message) => (stays(message) ? [] : (message.id ?? [])))

const idsOf = (messages: ConversationRecord['messages']) => messages.flatMap(({id}) => id ?? [])

const unsentNames = ({list, conversation}: ChangesTarget) =>
  (selectItem(list.getSnapshot(), conversation)?.unsentVersions ?? []).flatMap((version) => unsentName(version) ?? [])

/** Versions that no server has, all others of which were deleted from these messages: they have no position any more. */
function leftAlone(target: ChangesTarget, before: readonly RecordMessage[]): RecordMessage[][] {
  const {unsentVersions = [], messages = []} = selectItem(target.list.getSnapshot(), target.conversation) ?? {}
  return unsentVersions.filter(([first]) => {
    if (first === undefined || messages.some((message) => isVersionOf(message, first))) return false
    const index = before.findIndex((message) => isVersionOf(message, first))
    const last = before[index - 1]
    const isSamePath = index === 0 || messages.some(({id}) => id != null && id === last?.id)
    // an answer alone stands behind its question
    return index !== -1 && isSamePath && (first.role === 'user' || messages.at(-1)?.id === last?.id)
  })
}

/** Emits the facts that concern the changes of one conversation, until the list ends. */
const facts$ = (deps: ChangesDeps, target: ChangesTarget, keptPaths: KeptPaths) =>
  new Observable<MessageChangesEvent>((subscriber) => {
    const {list, conversation} = target
    const {environment} = list.getSnapshot().context
    const resume = () => {
      if (isReachable(list)) subscriber.next({type: 'connection.restored'})
    }
    let wasReachable = isReachable(list)
    let lastMessages = messagesIn(target)
    const look = () => {
      const isBack = isReachable(list) && !wasReachable
      wasReachable = isReachable(list)
      const messages = messagesIn(target)
      const isOther = messages !== undefined && messages !== lastMessages
      if (isOther) void keptPaths.follow(lastMessages ?? [], messages)
      const aloneVersions = isOther ? leftAlone(target, lastMessages ?? []) : []
      lastMessages = messages
      if (isOther) {
        const names = [...idsOf(messages), ...unsentNames(target)]
        subscriber.next({type: 'messages.listed', messages: names})
        for (const {id, removing} of messages)
          if (removing === false && id != null) subscriber.next({type: 'message.restored', message: id})
        const visited = visitedMessage(target)
        if (visited !== undefined) subscriber.next({type: 'path.listed', message: visited})
      }
      if (isBack || isOther) resume()
      if (aloneVersions.length > 0) showAtEnd(target, aloneVersions)
    }
    const subscriptions = [
      environment.on('page.leaving', (event) => subscriber.next(event)),
      environment.on('connection.restored', resume),
      // a server that could not be reached, though there was a network
      environment.on('page.shown', resume),
      list.subscribe({next: look, complete: () => subscriber.complete(), error: () => subscriber.complete()}),
    ]
    for (const message of removingIn(target)) deps.tabs.tell({type: 'removal.asked', conversation, message})
    resume()
    return () => {
      for (const each of subscriptions) each.unsubscribe()
    }
  })

/** The queue in which the tabs of the browser stand for the deletion of a message. */
const createHoldLogic = ({leadership, log}: ChangesDeps) =>
  removalHoldMachine.provide({
    actors: {
      standInLine: fromEventObservable<LeadershipFact, {message: string}>(({input: {message}}) =>
        leadership(`atrium.removal.${message}`, {isClaiming: false}),
      ),
    },
    actions: {
      logFailure: (_, {error}) => log('The tabs do not know of each other what they delete', {error: String(error)}),
    },
  })

function createLogic(deps: ChangesDeps, target: ChangesTarget) {
  const {list, conversation} = target
  const {chat, log} = deps
  /** Our extension `versions`: a change that asks nothing. Answers with the conversation as it is then. */
  const changeMessages = (body: object, options: Parameters<ChatApi['command']>[2]) =>
    chat.command(answerSchema, {...body, id: conversation}, {isLenient: true, ...options})
  const tellChanged = () => deps.tabs.tell({type: 'conversation.heard', id: conversation, isSettled: true})
  /** A call whose answer is lost is made again under its key, and finds the branch. */
  const makeBranch = (body: object, key: string, signal: AbortSignal) => {
    const isRead = list.getSnapshot().context.capabilities.includes('branch-key')
    const headers = {'x-record-exempt': 'true', ...(isRead && {'idempotency-key': `branch-${key}`})}
    return changeMessages({action: 'branch', ...body}, {signal, isRead, headers})
  }
  const {userId} = list.getSnapshot().context
  const keptPaths = createKeptPaths(deps.bulk, {userId, conversation})
  const keptVersions = createKeptVersions(deps.bulk, userId)
  const paths = createPaths({...deps, keptPaths, keptVersions, changeMessages}, target)
  const change = async (input: MessageChange, signal: AbortSignal) => {
    if (input.action === 'askInBranch') {
      const {upTo: message, title, model, ask, at} = input
      const branch = await makeBranch({message, title, model}, ask.key, signal)
      askIn(list, toRecord(branch, model), ask, at)
      return branch.id
    }
    if (input.action === 'branch') {
      const {message, title, key} = input
      const branch = await makeBranch({message, title}, key, signal)
      takeCopy(list, branch)
      return branch.id
    }
    await (input.action === 'visit' ? paths.visit(input, signal) : paths.change(input, signal))
    return undefined
  }
  return messageChangesMachine.provide({
    actors: {
      changeConversation: fromPromise<string | undefined, MessageChange | undefined>(async ({input, signal}) =>
        input === undefined ? undefined : change(input, signal),
      ),
      deletePending: fromPromise<void, undefined>(() => deletePending(deps, target)),
      followConversation: fromEventObservable<MessageChangesEvent, undefined>(() => facts$(deps, target, keptPaths)),
      removalHold: createHoldLogic(deps),
      removal: removalMachine.provide({
        actors: {
          remove: fromPromise<void, {id: string}>(async ({input: {id: message}, signal}) => {
            if (await paths.dropUnsent(message, signal)) return
            const options = {signal, keepsAlive: true}
            const copy = changeMessages({action: 'remove', message}, options).catch((error: unknown) => {
              // an earlier call's answer was lost: only the copy shows what replaces it
              if (toFailure(error).status === 404) return changeMessages({action: 'retrieve'}, options)
              throw error
            })
            takeCopy(list, await copy)
            tellChanged()
          }),
        },
      }),
    },
    actions: {
      resumeReachable: enqueueActions(({enqueue}) => {
        if (isReachable(list)) enqueue.raise({type: 'connection.restored'})
      }),
      // enqueued, never sent inside an action: the list would run within it
      mark: enqueueActions(({enqueue}, {key: message, isRemoving}) => {
        const record = markedRecord(target, message, isRemoving)
        if (record !== undefined) enqueue.sendTo(list, {type: 'conversation.loaded', record})
      }),
      tellRestored: (_, {key: message}) => deps.tabs.tell({type: 'message.restored', conversation, message}),
      logFailure: (_, {error}) => log('A conversation was not changed', {...toFailure(error)}),
    },
  })
}
