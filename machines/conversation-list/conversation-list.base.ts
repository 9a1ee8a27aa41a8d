import {assign, enqueueActions, setup} from 'xstate'
import type {ChatCapability} from '#contract/management.ts'
import {awaitsCredits, isSameConversation, type ConversationRecord} from '#domain/conversation.ts'
import {isOurs} from '#domain/conversation-list.ts'
import {isRefusal, toFailure, type Failure} from '#domain/failure.ts'
import {replaceOrFront} from '#domain/replace-or-front.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {
  ConversationChanged,
  ConversationEvent,
  FollowUpsChanged,
} from '#machines/conversation/conversation.types.ts'
import {
  conversationPagesMachine,
  type ConversationPagesOutput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {withKey, without} from '#machines/lib/keys.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {
  answeringKeys,
  awaitsName,
  changedItems,
  changedWith,
  findItem,
  isLive,
  isMissed,
  isNews,
  isShown,
  isRetriable,
  keyOf,
  isPastUndo,
  lacksAnswer,
  listAfter,
  listWith,
  liveKeys,
  reportOf,
  seenOf,
  shownTwin,
  unreadAfter,
  unreadWith,
  withMarks,
  withMissed,
  withQueues,
  withoutChild,
  withoutKeys,
} from './conversation-list.rules.ts'
import {
  conversationId,
  findingId,
  namingId,
  type ConversationHeard,
  type ConversationListContext,
  type ConversationListEvent,
  type ConversationListFact,
  type ConversationListInput,
  type FollowUpsHeard,
  type UnsentHeard,
  type ConversationsRemoved,
  type RemovalsLeft,
  type ConversationsChanged,
  type UnreadHeard,
} from './conversation-list.types.ts'
import {findingMachine, type ConversationLoaded, type FindingSettled} from './finding.machine.ts'
import {namingMachine, type NamingSettled} from './naming.machine.ts'

type Key = {key: string}
type Records = {records: readonly ConversationRecord[]}
type ListFailed = Extract<ConversationListFact, {type: 'list.failed'; kind: 'restore' | 'retry'}>

/** Without an answer, or with a fault of its own, the server says nothing about what it has (decision 153). */
const isUnknown = (failure: Failure | undefined) =>
  failure?.lost === true || (failure?.status !== undefined && !isRefusal(failure))

/** Ports, children, guards and actions of the list of conversations, but what deletions do and what tabs tell of a conversation. */
export const conversationListBase = setup({
  types: {
    input: {} as ConversationListInput,
    context: {} as ConversationListContext,
    events: {} as ConversationListEvent,
    emitted: {} as
      | ConversationHeard
      | FollowUpsHeard
      | UnsentHeard
      | ConversationsChanged
      | ConversationsRemoved
      | RemovalsLeft
      | UnreadHeard,
  },
  actors: {
    environmentChanges,
    pages: conversationPagesMachine,
    conversation: conversationMachine,
    finding: findingMachine,
    removal: removalMachine,
    naming: namingMachine,
  },
  delays: {undoWindow: 8_000},
  guards: {
    /** Lately, seen from the newest conversation. */
    hasUnpaid: ({context: {items}}) => {
      const newest = Math.max(...items.map(({updatedAt}) => updatedAt))
      return items.some((item) => awaitsCredits(item, newest))
    },
    hasFailed: (_, {failure}: ConversationPagesOutput) => failure !== undefined,
    isRefused: (_, {failure}: ConversationPagesOutput) => failure !== undefined && isRefusal(failure),
    /** A name that the user gave meanwhile stays. */
    isUntitled: ({context}, {key}: Key) => findItem(context, key)?.title === undefined,
    isListed: ({context}, {record}: FollowUpsChanged) => findItem(context, record.key) !== undefined,
    isPastUndo: ({context}, {keys}: {keys: readonly string[]}) => isPastUndo(context, keys),
    isRetriable: ({context}, {key}: Key) => isRetriable(context, key),
    isOffScreen: ({context}, {key}: Key) => !isShown(context, key),
    /** The screen waits for it, and no server said whether it has it. Reports of other tabs are found another time. */
    isUnknown: ({context}, {key, failure}: FindingSettled) => isUnknown(failure) && isShown(context, key),
    isNews: ({context}, report: ConversationHeard) => isNews(context, report),
    isMissed: ({context}, report: ConversationHeard) => isMissed(context, report),
    /** A page that was left asked it and now hears its name, under which the server's record is on screen already. */
    isShownAsTwin: ({context}, {record}: ConversationChanged) => shownTwin(context, record) !== undefined,
  },
  actions: {
    storeList: assign(({context}, output: ConversationPagesOutput) => {
      const next = withQueues(context, listAfter(context, output))
      return {...next, unread: unreadAfter(context, next.items), failure: undefined}
    }),
    /** No answer of the server says nothing about what it has: the device's copies stay (decision 153). */
    clearList: assign(({context}, {error}: {error: unknown}) => {
      const failure = toFailure(error)
      const isKept = (item: ConversationRecord) =>
        failure.lost === true || isOurs(item) || answeringKeys(context).includes(item.key)
      return {items: context.items.filter(isKept), failure}
    }),
    forgetChanges: assign({changed: {}, absent: []}),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    /** Starts the actors of conversations that have none. */
    start: enqueueActions(({enqueue, context, self}, {records}: Records) => {
      const {capabilities, environment} = context
      const idle = records.filter(({key}) => !isLive(context, key))
      for (const record of idle) {
        const id = conversationId(record.key)
        enqueue.spawnChild('conversation', {id, input: {record, capabilities, environment, parentRef: self}})
        if (context.held.includes(record.key))
          enqueue.sendTo(id, {type: 'followUps.heard', items: record.followUps ?? [], isHeld: true})
      }
      const idleKeys = idle.map(({key}) => key)
      enqueue.assign({
        phases: {...context.phases, ...Object.fromEntries(idleKeys.map((key) => [key, 'settled']))},
        held: without(context.held, ...idleKeys),
      })
    }),
    stop: enqueueActions(({enqueue, context}, {keys}: {keys: readonly string[]}) => {
      for (const key of keys) if (isLive(context, key)) enqueue.stopChild(conversationId(key))
      enqueue.assign({phases: withoutKeys(context.phases, keys)})
    }),
    /** To a conversation by key or server id, if it has an actor. */
    send: enqueueActions(({enqueue, context}, {key, event}: Key & {event: ConversationEvent | undefined}) => {
      const ownKey = keyOf(context, key)
      if (event !== undefined && isLive(context, ownKey)) enqueue.sendTo(conversationId(ownKey), event)
    }),
    sendToAll: enqueueActions(({enqueue, context}, event: ConversationEvent) => {
      for (const key of liveKeys(context)) enqueue.sendTo(conversationId(key), event)
    }),
    /** To conversations that the server's records are of; a running answer ignores them. */
    shareHistory: enqueueActions(({enqueue, context}, {records}: Records) => {
      const liveItems = context.items.filter(({key}) => isLive(context, key))
      for (const record of records) {
        const key = liveItems.find((item) => isSameConversation(item, record))?.key
        if (key !== undefined) enqueue.sendTo(conversationId(key), {type: 'history.loaded', record: {...record, key}})
      }
    }),
    show: assign(({context}, {key, beside = []}: Key & {beside?: readonly string[]}) => {
      const shownKeys = [...new Set([key, ...beside].map((name) => keyOf(context, name)))]
      return {
        shown: shownKeys,
        unread: without(context.unread, ...shownKeys),
        // another device may have taken its deletion back
        absent: without(context.absent, ...without(shownKeys, ...context.shown)),
      }
    }),
    hide: assign({shown: []}),
    /** A conversation that the address names by the server's id has a key once it is listed. */
    nameShown: assign(({context}) => ({shown: context.shown.map((key) => keyOf(context, key))})),
    /** Asks the server for its copy, unless that is under way. */
    find: enqueueActions(({enqueue, context: {removed, finding}, self}, {key}: {key: string | undefined}) => {
      if (key === undefined || removed.includes(key) || finding.includes(key)) return
      enqueue.spawnChild('finding', {id: findingId(key), input: {key, parentRef: self}})
      enqueue.assign({finding: withKey(finding, key)})
    }),
    storeFinding: assign(({context}, {key, failure}: FindingSettled) => ({
      finding: without(context.finding, key),
      absent: failure?.status === 404 ? withKey(context.absent, key) : context.absent,
      failure: failure?.lost ? failure : context.failure,
    })),
    storeCopy: assign(({context}, {record}: ConversationLoaded) => {
      if (context.removed.includes(record.key)) return {}
      const {items, ...missed} = listWith(context, record)
      return {...missed, ...withQueues(context, items)}
    }),
    storeMissed: assign(({context}, report: ConversationHeard) => ({missed: withMissed(context.missed, report)})),
    /** The answer has ended, or a copy has come: reports of other tabs are read, if the own copy lacks them. */
    findMissed: enqueueActions(({enqueue, context}, {id: conversation}: Pick<ConversationRecord, 'id'>) => {
      const reports = context.missed.filter(({id}) => id === conversation)
      if (reports.some((report) => isMissed(context, report))) return
      enqueue.assign({missed: context.missed.filter(({id}) => id !== conversation)})
      const news = reports.findLast((report) => lacksAnswer(context, report))
      if (news !== undefined) enqueue.raise(news)
    }),
    storeChange: assign(({context}, {phase, record, outcome}: ConversationChanged) => {
      const {key, id} = record
      const isOnScreen = isShown(context, key, id)
      const isUnread = phase === 'settled' && !isOnScreen && outcome !== 'stopped'
      return {
        items: replaceOrFront(context.items, withMarks(context, record), isSameConversation),
        shown: context.shown.map((name) => (name === id ? key : name)),
        // the last report of a conversation that was stopped may arrive after that
        phases: isLive(context, key) ? {...context.phases, [key]: phase} : context.phases,
        unread: isUnread ? withKey(context.unread, key) : context.unread,
      }
    }),
    reportChange: enqueueActions(({enqueue, context}, {phase, record}: ConversationChanged) => {
      const {key, id} = record
      const report = reportOf(record)
      if (report !== undefined) enqueue.emit(report)
      if (phase === 'settled')
        enqueue.sendTo(context.parentRef, {
          type: 'conversation.settled',
          key,
          id,
          isOnScreen: isShown(context, key),
        })
    }),
    storeFollowUps: assign(({context}, {phase, record}: FollowUpsChanged) => ({
      items: replaceOrFront(context.items, withMarks(context, record), isSameConversation),
      phases: isLive(context, record.key) ? {...context.phases, [record.key]: phase} : context.phases,
    })),
    /** Asks for the names that the server is about to find. */
    awaitNames: enqueueActions(({enqueue, context, self}, {records}: Records) => {
      for (const record of records) {
        if (record.id === undefined || !awaitsName(context, record)) continue
        enqueue.stopChild(namingId(record.id))
        enqueue.spawnChild('naming', {id: namingId(record.id), input: {key: record.id, parentRef: self}})
      }
    }),
    /** To the other tabs. */
    tellName: enqueueActions(({enqueue}, {key, title}: NamingSettled) => {
      enqueue.emit({type: 'conversations.changed', changes: [{key, title}]})
    }),
    /** The actors of conversations hear their titles. */
    storeChanges: enqueueActions(({enqueue, context}, {changes}: Pick<ConversationsChanged, 'changes'>) => {
      enqueue.assign({items: changedItems(context, changes), changed: changedWith(context, changes)})
      for (const change of changes) {
        if (!('title' in change)) continue
        const key = keyOf(context, change.key)
        if (isLive(context, key)) enqueue.sendTo(conversationId(key), {type: 'title.changed', title: change.title})
      }
    }),
    /** To the other tabs, as far as the server has the conversations. */
    reportUnread: enqueueActions(({enqueue, context}, {keys, isUnread}: Omit<UnreadHeard, 'type'>) => {
      const ids = keys.flatMap((key) => findItem(context, key)?.id ?? [])
      if (ids.length > 0) enqueue.emit({type: 'unread.heard', keys: ids, isUnread})
    }),
    storeUnread: assign(({context}, report: UnreadHeard) => ({unread: unreadWith(context, report)})),
    /** Tells the other tabs of conversations that they call unread and that are on screen here. */
    reportSeen: enqueueActions(({enqueue, context}, report: UnreadHeard) => {
      const keys = seenOf(context, report)
      if (keys.length > 0) enqueue.emit({type: 'unread.heard', keys, isUnread: false})
    }),
    markRead: assign(({context}, {key}: Key) => ({unread: without(context.unread, keyOf(context, key))})),
    /** Another has its name and goes on: nothing of it stays on this device. */
    drop: assign(({context: {items, removed}}, {key}: Key) => ({
      items: items.filter((item) => item.key !== key),
      removed: [...removed, key],
    })),
    askForBalance: enqueueActions(({enqueue, context}) => {
      enqueue.sendTo(context.parentRef, {type: 'balance.check'})
    }),
    reportFailure: enqueueActions(({enqueue, context}, fact: Omit<ListFailed, 'type'>) => {
      enqueue.sendTo(context.parentRef, {type: 'list.failed', ...fact})
    }),
    storeCapabilities: assign((_, {capabilities}: {capabilities: ChatCapability[]}) => ({capabilities})),
    dropChild: assign(({context}, {actorId}: {actorId: string}) => withoutChild(context, actorId)),
  },
})
