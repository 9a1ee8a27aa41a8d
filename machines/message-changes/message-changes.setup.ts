import {assign, emit, enqueueActions, raise, setup, stateIn, type AnyActorRef} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import {promisePort, streamPort, unfilledAction} from '#machines/lib/ports.ts'
import {removalMachine, type RemovalSettled} from '#machines/lib/removal.machine.ts'
import {
  copiesDeleted,
  goneFrom,
  isNeeded,
  isRequested,
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
import {removalHoldMachine, type HoldRelease} from './removal-hold.machine.ts'
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

type Owner = {getSnapshot: () => {children: Partial<Record<string, AnyActorRef>>}}
type Enqueue = {sendTo: (hold: AnyActorRef, event: HoldRelease) => void}
/** The deletion has ended: another tab may have it in hand. */
function release(enqueue: Enqueue, self: Owner, message: string) {
  const hold = self.getSnapshot().children[holdId(message)]
  if (hold !== undefined) enqueue.sendTo(hold, {type: 'hold.release'})
}

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
    /** Reports of the list, the other tabs and the page about the conversation. */
    followConversation: streamPort<MessageChangesEvent>('followConversation'),
    removal: removalMachine,
    removalHold: removalHoldMachine,
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
    isOther: ({context}, {change}: {change: MessageChange}) => !isRequested(context, change),
    isNeeded: ({context}) => isNeeded(context, context.views),
    /** A failure that came while no thread showed the conversation is said when one does. */
    isFailureShown: ({context: {failed, views}}) => failed !== undefined && views > 0,
    isRequestedAgain: stateIn({deleting: 'requestedAgain'}),
    hasChange: ({context}) => context.change !== undefined,
    isRemoving: ({context}, {message}: Message) => context.removing.includes(message),
    isUnconfirmed: ({context}, {message}: Message) => context.unconfirmed.includes(message),
  },
  actions: {
    storeChange: assign(({context: {unheard, waiting, failed}}, {change}: {change: MessageChange}) => ({
      change: withEarlierKey(unheard, change),
      waiting: waiting.filter((each) => each !== change),
      // what failed before one that waited has not been read
      failed: waiting.includes(change) ? failed : undefined,
    })),
    storeWaiting: assign(({context: {waiting}}, {change}: {change: MessageChange}) => ({
      waiting: [...waiting, change],
    })),
    requestWaiting: enqueueActions(({enqueue, context: {waiting}}) => {
      const [change] = waiting
      if (change !== undefined) enqueue.raise({type: 'change.request', change})
    }),
    forgetUnheard: assign(({context: {unheard, change}}) => ({unheard: withEnded(unheard, change)})),
    clearChange: assign({change: undefined}),
    clearFailure: assign({failed: undefined}),
    emitSettled: enqueueActions(({enqueue, context: {change}}, settled: Omit<ChangeSettled, 'type' | 'change'>) => {
      if (change !== undefined) enqueue.emit({type: 'change.settled', change, ...settled})
    }),
    requestAgain: raise({type: 'deletions.request'}),
    emitDeletions: emit((_, {error}: {error?: unknown}) => ({
      type: 'deletions.settled',
      ...(error !== undefined && {failure: toFailure(error)}),
    })),
    /** Nothing is made of the server's copy. */
    giveUp: enqueueActions(({enqueue, context: {change}}, {error}: {error: unknown}) => {
      if (change === undefined) return
      enqueue.assign({failed: {message: change.message, failure: toFailure(error), change}})
      enqueue.emit({type: 'change.settled', change, isDone: false})
    }),
    countViews: assign(({context: {views}}, {more}: {more: number}) => ({views: views + more})),
    storeFailure: assign(({context: {change, unheard}}, {error}: {error: unknown}) => {
      const failure = toFailure(error)
      return {
        failed: change && {message: change.message, failure, change},
        unheard: withEnded(unheard, change, failure),
      }
    }),
    hold: enqueueActions(({enqueue, context: {unconfirmed}, self}) => {
      for (const message of unconfirmed)
        enqueue.spawnChild('removalHold', {id: holdId(message), input: {parentRef: self, message}})
    }),
    takeOver: assign(({context}, {message}: Message) => withTakenOver(context, message)),
    remove: enqueueActions(({enqueue, context, self}, {message}: Message) => {
      // it may be leaving the queue since an earlier deletion
      enqueue.stopChild(holdId(message))
      enqueue.spawnChild('removalHold', {id: holdId(message), input: {parentRef: self, message}})
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
    settle: enqueueActions(({enqueue, context, self}, settled: RemovalSettled) => {
      release(enqueue, self, settled.key)
      enqueue.assign(withSettled(context, settled))
    }),
    await: assign(({context}, {key}: RemovalFailed) => withWaiting(context, key)),
    /** The server has none of these any more. */
    forget: enqueueActions(({enqueue, context, self}, {messages}: {messages: readonly string[]}) => {
      const goneMessages = goneFrom(context, messages)
      for (const message of goneMessages) {
        enqueue.stopChild(removalId(message))
        release(enqueue, self, message)
      }
      enqueue.assign(withGone(context, goneMessages))
    }),
    letGo: enqueueActions(({enqueue, context, self}, {message}: Message) => {
      release(enqueue, self, message)
      enqueue.assign(withRestored(context, message))
    }),
    /** Port: sends `connection.restored` where the server can be reached. */
    resumeReachable: (_, _params: unknown) => unfilledAction('resumeReachable'),
    /** Port: the conversation remembers that this message is deleted, or that it is not. */
    mark: (_, _params: {key: string; isRemoving: boolean}) => unfilledAction('mark'),
    /** Port: the other tabs hear that it is not deleted. */
    tellRestored: (_, _params: {key: string}) => unfilledAction('tellRestored'),
    storeRemovalFailure: assign((_, {key, failure}: RemovalFailed) => ({failed: {message: key, failure}})),
    /** Port: what failed. */
    logFailure: (_, _params: {error: unknown}) => unfilledAction('logFailure'),
  },
})
