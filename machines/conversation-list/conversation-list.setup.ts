import {assign, enqueueActions, setup} from 'xstate'
import type {ChatCapability} from '#contract/management.ts'
import {isSameConversation, type ConversationRecord} from '#domain/conversation.ts'
import {isOurs, isRunning, mergeConversations} from '#domain/conversation-list.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {replaceOrFront} from '#domain/replace-or-front.ts'
import {answerFeedMachine} from '#machines/answer-feed/answer-feed.machine.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {
  ConversationChanged,
  ConversationInput,
  ConversationRejected,
} from '#machines/conversation/conversation.types.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {unfilledAction, promisePort} from '#machines/lib/ports.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {
  awaitsName,
  findItem,
  isAnsweredHere,
  isMissed,
  isNews,
  lacksAnswer,
  isRetriable,
  newOf,
  newRecord,
  removalsOf,
  shownTwin,
  reportOf,
  twinsOf,
  without,
  withKey,
  withMissed,
  withoutChild,
} from './conversation-list.rules.ts'
import {
  conversationId,
  findingId,
  namingId,
  removalId,
  type ConversationCreate,
  type ConversationHeard,
  type ConversationListContext,
  type ConversationListEvent,
  type ConversationListInput,
  type ConversationPage,
  type ConversationRetry,
} from './conversation-list.types.ts'
import {findingMachine, type FindingSettled} from './finding.machine.ts'
import {namingMachine, type NamingSettled} from './naming.machine.ts'
import {renamingMachine} from './renaming.machine.ts'

const conversationInput = (
  {capabilities, environment}: ConversationListContext,
  record: ConversationRecord,
  parentRef: ConversationInput['parentRef'],
): ConversationInput => ({record, capabilities, environment, parentRef})

/** Ports, children, guards and actions of the list of conversations. */
export const conversationListSetup = setup({
  types: {
    input: {} as ConversationListInput,
    context: {} as ConversationListContext,
    events: {} as ConversationListEvent,
    emitted: {} as ConversationHeard,
  },
  actors: {
    environmentChanges,
    getConversations: promisePort<ConversationPage, {userId: string; offset: number}>('getConversations'),
    conversation: conversationMachine,
    answerFeed: answerFeedMachine,
    finding: findingMachine,
    removal: removalMachine,
    renaming: renamingMachine,
    naming: namingMachine,
  },
  delays: {callDeadline: 20_000},
  guards: {
    /** A server that knows no pages sends what is known again. */
    hasMore: ({context}, {output}: {output: ConversationPage}) =>
      output.next !== undefined && newOf(context, output).length > 0,
    isListed: ({context}, {key}: {key: string}) => findItem(context, key) !== undefined,
    isRenamable: ({context}, {key, title}: {key: string; title: string}) =>
      findItem(context, key)?.id !== undefined && title.trim() !== '',
    isRetriable: ({context}, {key}: {key: string}) => isRetriable(context, key),
    isOffScreen: ({context}, {key}: {key: string}) => context.active !== key,
    isRemovable: ({context}, {key}: {key: string}) => {
      const item = findItem(context, key)
      return item !== undefined && !context.removing.includes(item.key)
    },
    /** The screen waits for it. What another tab told of is found another time. */
    isLost: ({context}, {key, failure}: FindingSettled) => failure?.lost === true && context.active === key,
    isNews: ({context}, heard: ConversationHeard) => isNews(context, heard),
    isMissed: ({context}, heard: ConversationHeard) => isMissed(context, heard),
    /** A page that was left asked it and now hears its name, under which the server's record is on screen already. */
    isShownAsTwin: ({context}, {record}: ConversationChanged) => shownTwin(context, record) !== undefined,
    isUndoable: ({context}, {key}: {key: string}) => removalsOf(context).includes(key),
  },
  actions: {
    clearPages: assign({pages: [], nextPage: 0}),
    storePage: assign(({context}, {output}: {output: ConversationPage}) => ({
      pages: [...context.pages, ...newOf(context, output)],
      nextPage: output.next ?? 0,
    })),
    storeList: assign(({context}) => ({
      items: mergeConversations(
        context.items,
        context.pages.filter(({key}) => !context.removed.includes(key)),
        ({key}) => context.live.includes(key) && key !== context.active,
      ),
      failure: undefined,
    })),
    clearList: assign(({context}, {error}: {error: unknown}) => ({
      items: context.items.filter((item) => isOurs(item) || context.answering.includes(item.key)),
      failure: toFailure(error),
    })),
    /** Tells running children what the server has; an answer that runs ignores it. */
    shareHistory: enqueueActions(({enqueue, context}) => {
      for (const record of context.pages) {
        const item = context.items.find((other) => isSameConversation(other, record))
        if (item && context.live.includes(item.key))
          enqueue.sendTo(conversationId(item.key), {type: 'history.loaded', record: {...record, key: item.key}})
      }
    }),
    /** Starts the actor of each conversation whose answer still runs, and of the one on screen. */
    reviveRunning: enqueueActions(({enqueue, context, self}) => {
      const {items, live, removing, active} = context
      const wanted = items.filter(
        (item) =>
          !live.includes(item.key) &&
          !removing.includes(item.key) &&
          (isRunning(item) || (active !== undefined && item === findItem(context, active))),
      )
      for (const record of wanted) {
        enqueue.spawnChild('conversation', {
          id: conversationId(record.key),
          input: conversationInput(context, record, self),
        })
      }
      enqueue.assign({
        live: [...live, ...wanted.map(({key}) => key)],
        active: active === undefined ? undefined : (findItem(context, active)?.key ?? active),
      })
    }),
    create: enqueueActions(({enqueue, context, self}, {key, model, prompt}: ConversationCreate) => {
      const {live} = context
      if (!live.includes(key)) {
        const record = findItem(context, key) ?? newRecord(key, model)
        enqueue.spawnChild('conversation', {id: conversationId(key), input: conversationInput(context, record, self)})
      }
      enqueue.assign({live: withKey(live, key), active: key})
      if (prompt !== undefined) enqueue.sendTo(conversationId(key), prompt)
    }),
    open: enqueueActions(({enqueue, context, self}, {key}: {key: string}) => {
      const {live} = context
      const record = findItem(context, key)
      const known = record?.key ?? key
      if (record && !live.includes(known))
        enqueue.spawnChild('conversation', {id: conversationId(known), input: conversationInput(context, record, self)})
      enqueue.assign({
        live: record ? withKey(live, known) : live,
        active: known,
        unread: without(context.unread, known),
        crashed: without(context.crashed, known),
      })
    }),
    /** The list was read and lacks what is on screen: the server is asked for it. */
    findActive: enqueueActions(({enqueue, context, self}) => {
      const {active: key, live, removed, finding} = context
      if (key === undefined || findItem(context, key) !== undefined) return
      if ([...live, ...removed, ...finding].includes(key)) return
      enqueue.spawnChild('finding', {id: findingId(key), input: {key, parentRef: self}})
      enqueue.assign({finding: withKey(finding, key)})
    }),
    storeMissed: assign(({context}, heard: ConversationHeard) => ({missed: withMissed(context.missed, heard)})),
    /** The answer has ended, or a copy has come: what other tabs reported meanwhile is read, if the own copy lacks it. */
    findMissed: enqueueActions(({enqueue, context}, {id: conversation}: {id: string | undefined}) => {
      const reports = context.missed.filter(({id}) => id === conversation)
      if (reports.some((heard) => isMissed(context, heard))) return
      enqueue.assign({missed: context.missed.filter(({id}) => id !== conversation)})
      const news = reports.findLast((heard) => lacksAnswer(context, heard))
      if (news !== undefined) enqueue.raise(news)
    }),
    /** The server has another copy: another tab changed it, or the server refused to replace a question of ours. */
    findChanged: enqueueActions(({enqueue, context, self}, {id}: {id: string}) => {
      if ([...context.removed, ...context.finding].includes(id)) return
      enqueue.spawnChild('finding', {id: findingId(id), input: {key: id, parentRef: self}})
      enqueue.assign({finding: withKey(context.finding, id)})
    }),
    storeFound: enqueueActions(({enqueue, context}, {key, record, failure}: FindingSettled) => {
      enqueue.assign({finding: without(context.finding, key), failure: failure?.lost ? failure : context.failure})
      if (record === undefined || context.removed.includes(record.key)) return
      const own = context.items.find((item) => isSameConversation(item, record))
      const found = own === undefined ? record : mergeConversation(own, record)
      enqueue.assign({items: replaceOrFront(context.items, found, isSameConversation)})
      const heard = reportOf(record)
      if (heard !== undefined && isAnsweredHere(context, heard))
        enqueue.assign({missed: withMissed(context.missed, heard)})
      if (context.live.includes(found.key))
        enqueue.sendTo(conversationId(found.key), {type: 'history.loaded', record: {...record, key: found.key}})
    }),
    /** A conversation that left the screen keeps its actor only while it answers. */
    retire: enqueueActions(({enqueue, context}, {next}: {next?: string}) => {
      const {active, live, answering} = context
      const nextKey = next === undefined ? undefined : (findItem(context, next)?.key ?? next)
      if (active !== undefined && active !== nextKey && live.includes(active) && !answering.includes(active)) {
        enqueue.stopChild(conversationId(active))
        enqueue.assign({live: without(live, active)})
      }
      enqueue.assign({active: undefined})
    }),
    /** The one on screen goes on alone: it follows the answer, and gets what the other has heard. */
    stepAside: enqueueActions(({enqueue, context}, {record}: ConversationChanged) => {
      const {key} = record
      const shown = shownTwin(context, record)
      enqueue.stopChild(conversationId(key))
      if (shown !== undefined && context.live.includes(shown))
        enqueue.sendTo(conversationId(shown), {type: 'history.loaded', record: {...record, key: shown}})
      enqueue.assign({
        items: context.items.filter((item) => item.key !== key),
        live: without(context.live, key),
        answering: without(context.answering, key),
      })
    }),
    storeChange: enqueueActions(({enqueue, context, self}, {phase, record, outcome}: ConversationChanged) => {
      const {key} = record
      const isOnScreen = context.active !== undefined && [key, record.id].includes(context.active)
      // asked by a page that was left before it heard the name: the server's list had it already, under that name
      const twins = twinsOf(context, record)
      for (const twin of twins) if (context.live.includes(twin)) enqueue.stopChild(conversationId(twin))
      const answering = without(context.answering, ...twins)
      enqueue.assign({
        items: replaceOrFront(context.items, record, isSameConversation),
        live: without(context.live, ...twins),
        active: isOnScreen ? key : context.active,
        answering: phase === 'running' ? withKey(answering, key) : without(answering, key),
        unread:
          phase === 'settled' && !isOnScreen && outcome !== 'stopped' ? withKey(context.unread, key) : context.unread,
      })
      const report = reportOf(record)
      if (report !== undefined) enqueue.emit(report)
      if (phase === 'settled') {
        enqueue.sendTo(context.parentRef, {type: 'conversation.settled', key, id: record.id, isOnScreen})
        if (awaitsName(context, record) && record.id !== undefined) {
          enqueue.stopChild(namingId(record.id))
          enqueue.spawnChild('naming', {id: namingId(record.id), input: {key: record.id, parentRef: self}})
        }
        if (!isOnScreen) {
          enqueue.stopChild(conversationId(key))
          enqueue.assign({live: without(context.live, key, ...twins)})
        }
      }
    }),
    rename: enqueueActions(({enqueue, context, self}, {key, title}: {key: string; title: string}) => {
      const item = findItem(context, key)
      if (item?.id === undefined) return
      const next = title.trim()
      enqueue.assign({items: replaceOrFront(context.items, {...item, title: next}, isSameConversation)})
      if (context.live.includes(item.key))
        enqueue.sendTo(conversationId(item.key), {type: 'title.changed', title: next})
      const id = `renaming/${item.key}`
      // the newer title wins: the older call must not arrive after it, nor its failure bring an older title back
      enqueue.stopChild(id)
      enqueue.spawnChild('renaming', {
        id,
        input: {key: item.key, conversation: item.id, title: next, previous: item.title, parentRef: self},
      })
    }),
    /** The name that the server has found; one that the user gave meanwhile stays. */
    storeName: enqueueActions(({enqueue, context}, {key, title}: NamingSettled) => {
      const item = findItem(context, key)
      if (item === undefined || item.title !== undefined) return
      enqueue.assign({items: replaceOrFront(context.items, {...item, title}, isSameConversation)})
      if (context.live.includes(item.key)) enqueue.sendTo(conversationId(item.key), {type: 'title.changed', title})
    }),
    restoreTitle: enqueueActions(
      ({enqueue, context}, {key, previous, failure}: {key: string; previous: string | undefined; failure: Failure}) => {
        const item = findItem(context, key)
        if (item) enqueue.assign({items: replaceOrFront(context.items, {...item, title: previous}, isSameConversation)})
        if (context.live.includes(key)) enqueue.sendTo(conversationId(key), {type: 'title.changed', title: previous})
        enqueue.sendTo(context.parentRef, {type: 'list.failed', kind: 'rename', failure})
      },
    ),
    retry: enqueueActions(({enqueue, context, self}, {key, requestKey, at}: ConversationRetry) => {
      const record = findItem(context, key)
      if (record === undefined) return
      const {live} = context
      const id = conversationId(record.key)
      if (!live.includes(record.key))
        enqueue.spawnChild('conversation', {id, input: conversationInput(context, record, self)})
      enqueue.assign({
        live: withKey(live, record.key),
        unread: without(context.unread, record.key),
        crashed: without(context.crashed, record.key),
      })
      enqueue.sendTo(id, {type: 'answer.retry', key: requestKey, at})
    }),
    /** Nobody sees its thread: it keeps the answer that it had. */
    tellRetryFailed: enqueueActions(({enqueue, context}, {key, failure}: ConversationRejected) => {
      enqueue.stopChild(conversationId(key))
      enqueue.assign({live: without(context.live, key)})
      enqueue.sendTo(context.parentRef, {type: 'list.failed', kind: 'retry', failure})
    }),
    remove: enqueueActions(({enqueue, context, self}, {key}: {key: string}) => {
      const record = findItem(context, key)
      if (record === undefined) return
      if (context.live.includes(record.key)) enqueue.stopChild(conversationId(record.key))
      enqueue.spawnChild('removal', {
        id: removalId(record.key),
        input: {parentRef: self, key: record.key, id: record.id},
      })
      enqueue.assign({
        removing: withKey(context.removing, record.key),
        live: without(context.live, record.key),
        answering: without(context.answering, record.key),
        unread: without(context.unread, record.key),
        active: context.active === record.key ? undefined : context.active,
      })
      enqueue.sendTo(context.parentRef, {type: 'conversation.removed', key: record.key, title: record.title})
    }),
    /** What was asked without a credential goes out. */
    tellReady: enqueueActions(({enqueue, context: {live}}) => {
      for (const key of live) enqueue.sendTo(conversationId(key), {type: 'credential.ready'})
    }),
    repeatRemovals: enqueueActions(({enqueue, context, self}) => {
      for (const key of context.unconfirmed) {
        const id = findItem(context, key)?.id ?? key
        enqueue.spawnChild('removal', {id: removalId(key), input: {parentRef: self, key, id}})
        enqueue.sendTo(removalId(key), {type: 'removal.flush'})
      }
      enqueue.assign({unconfirmed: []})
    }),
    undoRemoval: enqueueActions(({enqueue}, {key}: {key: string}) => {
      enqueue.sendTo(removalId(key), {type: 'removal.undo'})
    }),
    flushRemovals: enqueueActions(({enqueue, context}) => {
      for (const key of removalsOf(context)) enqueue.sendTo(removalId(key), {type: 'removal.flush'})
    }),
    showAgain: assign(({context}, {key}: {key: string}) => ({removing: without(context.removing, key)})),
    forget: assign(({context}, {key}: {key: string}) => ({
      removing: without(context.removing, key),
      removed: [...new Set([...context.removed, key, findItem(context, key)?.id ?? key])],
      items: context.items.filter((item) => item.key !== key),
    })),
    tellRemoveFailed: enqueueActions(({enqueue, context}, {failure}: {failure: Failure}) => {
      enqueue.sendTo(context.parentRef, {type: 'list.failed', kind: 'remove', failure})
    }),
    storeCapabilities: enqueueActions(({enqueue, context}, {capabilities}: {capabilities: ChatCapability[]}) => {
      enqueue.assign({capabilities})
      for (const key of context.live) enqueue.sendTo(conversationId(key), {type: 'service.changed', capabilities})
    }),
    /** Port: the shared stream of answers broke. */
    logFeedCrash: (_, _params: {error: unknown}) => unfilledAction('logFeedCrash'),
    dropChild: assign(({context}, {actorId}: {actorId: string}) => withoutChild(context, actorId)),
  },
})
