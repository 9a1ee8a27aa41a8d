import {assign, enqueueActions} from 'xstate'
import {without} from '#machines/lib/keys.ts'
import type {RemovalEvent} from '#machines/lib/removal.machine.ts'
import {conversationListBase} from './conversation-list.base.ts'
import {findItem, listedOf, withoutDeleted, withoutKeys, withoutRemoval} from './conversation-list.rules.ts'
import {removalId, type ConversationsRemoved, type OfferHeld, type RemovalsLeft} from './conversation-list.types.ts'

type Key = {key: string}
type Keys = {keys: readonly string[]}
type Confirmation = {isUnconfirmed: boolean}

/** The id of the event that sends a deletion. */
const dueId = (deletion: number) => `due/${deletion}`

/** Ports, children, guards and actions of the list of conversations, with what deletions do. */
export const conversationListSetup = conversationListBase.extend({
  actions: {
    remove: enqueueActions(({enqueue, context, self}, {keys, textId}: {keys: readonly string[]; textId?: string}) => {
      const records = keys.flatMap((key) => listedOf(context, key)).filter(({key}) => !context.removing.includes(key))
      const own = records.map(({key}) => key)
      if (own.length === 0) return
      // before the children, so that their own timers end later: one event flushes all of them in one call
      const deletion = context.deletions + 1
      enqueue.raise({type: 'removals.due', keys: own, deletion}, {delay: 'undoWindow', id: dueId(deletion)})
      for (const {key, id} of records)
        enqueue.spawnChild('removal', {id: removalId(key), input: {parentRef: self, key, id}})
      enqueue.assign({
        deletions: deletion,
        removing: [...context.removing, ...own],
        undoable: {...context.undoable, ...Object.fromEntries(own.map((key) => [key, deletion]))},
        unread: without(context.unread, ...own),
        shown: without(context.shown, ...own),
      })
      enqueue.sendTo(context.parentRef, {
        type: 'list.undoable',
        textId,
        count: own.length,
        undo: {type: 'conversations.restore', keys: own},
      })
    }),
    /** The time to take back a deletion stands still while its offer is held, and begins anew. */
    hold: enqueueActions(({enqueue, context: {undoable}}, {keys, type}: OfferHeld) => {
      const own = keys.filter((key) => undoable[key] !== undefined)
      const deletion = undoable[own[0] ?? '']
      if (deletion === undefined) return
      const id = dueId(deletion)
      enqueue.cancel(id)
      if (type === 'removal.release') enqueue.raise({type: 'removals.due', keys, deletion}, {delay: 'undoWindow', id})
      for (const key of own) enqueue.sendTo(removalId(key), {type})
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
        for (const key of keys) if (context.removing.includes(key)) enqueue.sendTo(removalId(key), event)
      },
    ),
    stopRemovals: enqueueActions(({enqueue, context}, {keys}: Keys) => {
      for (const key of keys) if (context.removing.includes(key)) enqueue.stopChild(removalId(key))
    }),
    closeUndo: assign(({context: {undoable}}, {keys}: Keys) =>
      keys.some((key) => undoable[key] !== undefined) ? {undoable: withoutKeys(undoable, keys)} : {},
    ),
    showAgain: assign(({context}, {key}: Key) => withoutRemoval(context, key)),
    forget: assign(({context}, {keys}: Keys) => withoutDeleted(context, keys)),
    /** To the other tabs, which list what the server never had under the same key. */
    reportRemoved: enqueueActions(
      ({enqueue, context}, {keys, type}: Keys & Pick<ConversationsRemoved | RemovalsLeft, 'type'>) => {
        if (keys.length > 0) enqueue.emit({type, keys: keys.map((key) => findItem(context, key)?.id ?? key)})
      },
    ),
  },
})
