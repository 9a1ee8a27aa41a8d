import {assign, enqueueActions, type ActorRefFrom, type AnyActorRef} from 'xstate'
import {isSameConversation} from '#domain/conversation.ts'
import {isRefusal} from '#domain/failure.ts'
import {afterHeard} from '#domain/heard-change.ts'
import {replaceOrFront} from '#domain/replace-or-front.ts'
import {isSameData} from '#domain/same-data.ts'
import {unsentHeard} from '#domain/versions.ts'
import type {FollowUpsChanged} from '#machines/conversation/conversation.types.ts'
import {without, withKey} from '#machines/lib/keys.ts'
import type {RemovalEvent, removalMachine, RemovalSettled} from '#machines/lib/removal.machine.ts'
import {conversationListBase} from './conversation-list.base.ts'
import {
  findItem,
  isLive,
  itemsNamed,
  withMarks,
  withoutDeleted,
  withoutKeys,
  withoutRemoval,
} from './conversation-list.rules.ts'
import {
  conversationId,
  removalId,
  type ConversationsRemoved,
  type FollowUpsHeard,
  type OfferHeld,
  type RemovalsLeft,
  type UnsentHeard,
} from './conversation-list.types.ts'

type Key = {key: string}
type Keys = {keys: readonly string[]}
type Report = Pick<FollowUpsChanged, 'record' | 'isHeld'>
type Confirmation = {isUnconfirmed: boolean}
type RemovalFailed = Extract<RemovalSettled, {type: 'removal.failed'}>

/** The id of the event that sends deletions. */
const dueId = 'due'

/** Its deletion is on its way to the server. */
const isSent = (removal: AnyActorRef | undefined) =>
  // as: the list gives these ids to its removals alone
  (removal as ActorRefFrom<typeof removalMachine> | undefined)?.getSnapshot().matches('removing') === true

/** Ports, children, guards and actions of the list of conversations, with what deletions do and what tabs tell of a conversation. */
export const conversationListSetup = conversationListBase.extend({
  actions: {
    remove: enqueueActions(({enqueue, context, self}, {keys}: Keys) => {
      const removingKeys = new Set(context.removing)
      const namedItems = itemsNamed(
        context,
        keys.map((key) => ({key})),
      )
      const records = [...new Set(namedItems.values())].filter(({key}) => !removingKeys.has(key))
      const own = records.map(({key}) => key)
      if (own.length === 0) return
      // before the children, so that their own timers end later: one event flushes all of them at once
      enqueue.cancel(dueId)
      enqueue.raise({type: 'removals.due'}, {delay: 'undoWindow', id: dueId})
      // one offer takes all back: the time of those before begins anew
      for (const key of context.undoable) {
        enqueue.sendTo(removalId(key), {type: 'removal.hold'})
        enqueue.sendTo(removalId(key), {type: 'removal.release'})
      }
      for (const {key, id} of records)
        enqueue.spawnChild('removal', {id: removalId(key), input: {parentRef: self, key, id}})
      const undoable = [...context.undoable, ...own]
      enqueue.assign({
        removing: [...context.removing, ...own],
        undoable,
        unread: without(context.unread, ...own),
        shown: without(context.shown, ...own),
      })
      enqueue.sendTo(context.parentRef, {
        type: 'list.undoable',
        about: 'removals',
        count: undoable.length,
        undo: {type: 'conversations.restore', keys: undoable},
      })
    }),
    /** The time to take deletions back stands still while their offer is held, and begins anew. */
    hold: enqueueActions(({enqueue, context: {undoable}}, {keys, type}: OfferHeld) => {
      if (!keys.some((key) => undoable.includes(key))) return
      enqueue.cancel(dueId)
      if (type === 'removal.release') enqueue.raise({type: 'removals.due'}, {delay: 'undoWindow', id: dueId})
      for (const key of undoable) enqueue.sendTo(removalId(key), {type})
    }),
    /** A conversation that another page deleted stays away, under the key that this page has for it. */
    resumeRemovals: enqueueActions(({enqueue, context, self}, {keys, isUnconfirmed}: Keys & Confirmation) => {
      for (const key of keys) {
        const id = findItem(context, key)?.id ?? key
        enqueue.spawnChild('removal', {id: removalId(key), input: {parentRef: self, key, id, isUnconfirmed}})
      }
      enqueue.assign({removing: [...without(context.removing, ...keys), ...keys]})
    }),
    sendToRemovals: enqueueActions(
      ({enqueue, context}, {keys, event}: {keys: readonly string[]; event: RemovalEvent}) => {
        const removing = new Set(context.removing)
        for (const key of keys) if (removing.has(key)) enqueue.sendTo(removalId(key), event)
      },
    ),
    stopRemovals: enqueueActions(({enqueue, context}, {keys}: Keys) => {
      for (const key of keys) if (context.removing.includes(key)) enqueue.stopChild(removalId(key))
    }),
    closeUndo: assign(({context: {undoable}}) => (undoable.length === 0 ? {} : {undoable: []})),
    showAgain: assign(({context}, {key}: Key) => withoutRemoval(context, key)),
    storeFailed: assign(({context: {failed}}, {key, failure}: RemovalFailed) => ({
      failed: [...failed, {key, failure}],
    })),
    /** Failures are told together, once no deletion is on its way any more. */
    reportFailed: enqueueActions(({enqueue, context: {failed, removing, parentRef}, self}) => {
      const [first] = failed
      const {children} = self.getSnapshot()
      if (first === undefined || removing.some((key) => isSent(children[removalId(key)]))) return
      enqueue.assign({failed: []})
      const again = failed.flatMap(({key, failure}) => (isRefusal(failure) ? [] : [key]))
      enqueue.sendTo(parentRef, {
        type: 'list.failed',
        kind: 'remove',
        count: failed.length,
        failure: first.failure,
        ...(again.length > 0 && {again: {type: 'conversations.remove', keys: again}}),
      })
    }),
    forget: assign(({context}, {keys}: Keys) => withoutDeleted(context, keys)),
    /** To the other tabs, which list what the server never had under the same key. */
    reportRemoved: enqueueActions(
      ({enqueue, context}, {keys, type}: Keys & Pick<ConversationsRemoved | RemovalsLeft, 'type'>) => {
        if (keys.length > 0) enqueue.emit({type, keys: keys.map((key) => findItem(context, key)?.id ?? key)})
      },
    ),
    /** Before they are stored: to the other tabs, which may hear of the conversation by this name for the first time. */
    tellFollowUps: enqueueActions(({enqueue, context}, {record: {key, id, followUps: items = []}, isHeld}: Report) => {
      const item = findItem(context, key)
      const was = (item?.id === id && item?.followUps) || []
      if (isHeld || !isSameData(was, items))
        enqueue.emit({type: 'followUps.heard', key: id ?? key, items, was, ...(isHeld && {isHeld})})
    }),
    answerFollowUps: enqueueActions(({enqueue, context}) => {
      for (const {key, id = key, followUps: items = []} of context.items)
        if (items.length > 0) enqueue.emit({type: 'followUps.heard', key: id, items, was: []})
    }),
    /** A conversation without an actor keeps them until it is opened, the list those of one that is not listed yet. */
    takeOverFollowUps: enqueueActions(({enqueue, context}, news: Omit<FollowUpsHeard, 'type'>) => {
      const {key, was, items: heard, isHeld} = news
      const item = findItem(context, key)
      const own = (item ? item.followUps : context.queues[key]) ?? []
      const items = afterHeard(own, was ?? own, heard, ({key: name}) => name)
      enqueue.assign(
        item
          ? {items: replaceOrFront(context.items, {...item, followUps: items}, isSameConversation)}
          : {queues: {...context.queues, [key]: items}},
      )
      if (item === undefined) return
      if (isLive(context, item.key)) enqueue.sendTo(conversationId(item.key), {type: 'followUps.heard', items, isHeld})
      else enqueue.assign({held: isHeld ? withKey(context.held, item.key) : without(context.held, item.key)})
    }),
    /** Those that other tabs told under a name that it hears now wait in the conversation itself, once that has it. */
    joinFollowUps: enqueueActions(({enqueue, context}, {record: {key, id = key}}: Report) => {
      const item = findItem(context, id)
      const items = item ? item.key !== key && item.followUps : context.queues[id]
      if (items) enqueue.raise({type: 'followUps.heard', key, items, was: []})
      enqueue.assign({queues: withoutKeys(context.queues, [id])})
    }),
    /** Before they are stored: to the other tabs. */
    tellUnsent: enqueueActions(({enqueue, context}, {record}: Report) => {
      const was = findItem(context, record.key)?.unsentVersions ?? []
      const {id, unsentVersions: versions = []} = withMarks(context, record)
      if (id !== undefined && !isSameData(was, versions)) enqueue.emit({type: 'unsent.heard', id, was, versions})
    }),
    keepUnsent: assign(({context: {items}}, fact: UnsentHeard) => ({
      items: items.map((item) => (item.id === fact.id ? {...item, unsentVersions: unsentHeard(item, fact)} : item)),
    })),
  },
})
