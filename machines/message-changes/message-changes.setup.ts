import {assign, emit, enqueueActions, raise, setup, stateIn} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import {promisePort, streamPort, unfilledAction} from '#machines/lib/ports.ts'
import {removalMachine, type RemovalSettled} from '#machines/lib/removal.machine.ts'
import {
  copiesDeleted,
  goneFrom,
  isNeeded,
  isShown,
  waiting,
  withEarlierKey,
  withEnded,
  withGone,
  withResumed,
  withRestored,
  withSettled,
  withTakenOver,
  withWaiting,
} from './message-changes.rules.ts'
import {callDeadline} from './message-changes.deadlines.ts'
import {
  holdId,
  removalId,
  type ChangeSettled,
  type Message,
  type MessageChange,
  type MessageChangesContext,
  type MessageChangesEmitted,
  type MessageChangesEvent,
  type MessageChangesInput,
  type RemovalFailed,
} from './message-changes.types.ts'

/** Ports, guards, delays and actions of the chart that changes a conversation. */
export const messageChangesSetup = setup({
  types: {
    input: {} as MessageChangesInput,
    context: {} as MessageChangesContext,
    events: {} as MessageChangesEvent,
    emitted: {} as MessageChangesEmitted,
  },
  actors: {
    /** Resolves when the server's copy stands in the list, with what is asked in it: with the id of a branch. */
    changeConversation: promisePort<string | undefined, MessageChange | undefined>('changeConversation'),
    /** Resolves when the server has none of the deleted messages, and the list its copy. */
    deletePending: promisePort<void, undefined>('deletePending'),
    /** What the list, the other tabs and the page say of the conversation. */
    followConversation: streamPort<MessageChangesEvent>('followConversation'),
    removal: removalMachine,
    /** Takes a deletion in hand before the other tabs: says `removal.ours`, and lets it go some time after its end. */
    holdRemoval: streamPort<MessageChangesEvent, Message>('holdRemoval'),
  },
  delays: {
    callDeadline,
    /** A thread that is left for another one is often opened again. */
    linger: 30_000,
  },
  guards: {
    isShown: ({context}, {message}: Message) => isShown(context, message),
    /** The server was not reached, or is answering a question of another page, and takes it later. */
    comesLater: ({context}, {key, failure}: RemovalFailed) =>
      (failure.lost === true || failure.status === 409) && context.removing.includes(key),
    copiesDeleted: ({context}, change: MessageChange) => copiesDeleted(context, change),
    isNeeded: ({context}) => isNeeded(context, context.views),
    isRequestedAgain: stateIn({deleting: 'requestedAgain'}),
    hasChange: ({context}) => context.change !== undefined,
    isRemoving: ({context}, {message}: Message) => context.removing.includes(message),
    isUnconfirmed: ({context}, {message}: Message) => context.unconfirmed.includes(message),
  },
  actions: {
    storeChange: assign(({context: {unheard}}, {change}: {change: MessageChange}) => ({
      change: withEarlierKey(unheard, change),
      failed: undefined,
    })),
    forgetUnheard: assign(({context: {unheard, change}}) => ({unheard: withEnded(unheard, change)})),
    clearChange: assign({change: undefined}),
    emitSettled: emit((_, settled: Omit<ChangeSettled, 'type'>) => ({type: 'change.settled', ...settled})),
    requestAgain: raise({type: 'deletions.request'}),
    emitDeletions: emit((_, {error}: {error?: unknown}) => ({
      type: 'deletions.settled',
      ...(error !== undefined && {failure: toFailure(error)}),
    })),
    /** Nothing is made of the server's copy. */
    giveUp: enqueueActions(({enqueue, context: {change}}, {error}: {error: unknown}) => {
      if (change === undefined) return
      enqueue.assign({failed: {message: change.message, failure: toFailure(error), change}})
      enqueue.emit({type: 'change.settled', isDone: false})
    }),
    countViews: assign(({context: {views}}, {more}: {more: number}) => ({views: views + more})),
    storeFailure: assign(({context: {change, unheard}}, {error}: {error: unknown}) => {
      const failure = toFailure(error)
      return {
        failed: change && {message: change.message, failure, change},
        unheard: withEnded(unheard, change, failure),
      }
    }),
    hold: enqueueActions(({enqueue, context: {unconfirmed}}) => {
      for (const message of unconfirmed) enqueue.spawnChild('holdRemoval', {id: holdId(message), input: {message}})
    }),
    takeOver: assign(({context}, {message}: Message) => withTakenOver(context, message)),
    remove: enqueueActions(({enqueue, context, self}, {message}: Message) => {
      enqueue.spawnChild('holdRemoval', {id: holdId(message), input: {message}})
      enqueue.spawnChild('removal', {id: removalId(message), input: {parentRef: self, key: message, id: message}})
      enqueue.assign({removing: [...context.removing, message], failed: undefined})
    }),
    undo: enqueueActions(({enqueue}, {message}: Message) => enqueue.sendTo(removalId(message), {type: 'removal.undo'})),
    flush: enqueueActions(({enqueue, context}) => {
      for (const message of context.removing) enqueue.sendTo(removalId(message), {type: 'removal.flush'})
    }),
    /** Sends those that waited, once more. */
    resume: enqueueActions(({enqueue, context, self}) => {
      for (const message of waiting(context)) {
        const id = removalId(message)
        enqueue.spawnChild('removal', {id, input: {parentRef: self, key: message, id: message}})
        enqueue.sendTo(id, {type: 'removal.flush'})
      }
      enqueue.assign(withResumed(context))
    }),
    settle: enqueueActions(({enqueue, context}, settled: RemovalSettled) => {
      enqueue.stopChild(holdId(settled.key))
      enqueue.assign(withSettled(context, settled))
    }),
    await: assign(({context}, {key}: RemovalFailed) => withWaiting(context, key)),
    /** The server has none of these any more. */
    forget: enqueueActions(({enqueue, context}, {messages}: {messages: readonly string[]}) => {
      const goneMessages = goneFrom(context, messages)
      for (const message of goneMessages) {
        enqueue.stopChild(removalId(message))
        enqueue.stopChild(holdId(message))
      }
      enqueue.assign(withGone(context, goneMessages))
    }),
    letGo: enqueueActions(({enqueue, context}, {message}: Message) => {
      enqueue.stopChild(holdId(message))
      enqueue.assign(withRestored(context, message))
    }),
    /** Port: the conversation remembers that this message is deleted, or that it is not. */
    mark: (_, _params: {key: string; isRemoving: boolean}) => unfilledAction('mark'),
    /** Port: the other tabs hear that it is not deleted. */
    tellRestored: (_, _params: {key: string}) => unfilledAction('tellRestored'),
    storeRemovalFailure: assign((_, {key, failure}: RemovalFailed) => ({failed: {message: key, failure}})),
    /** Port: what failed. */
    logFailure: (_, _params: {error: unknown}) => unfilledAction('logFailure'),
  },
})
