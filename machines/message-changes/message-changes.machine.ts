import {assign, emit, enqueueActions, not, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import {promisePort, streamPort, unfilledAction} from '#machines/lib/ports.ts'
import {removalMachine, type RemovalSettled} from '#machines/lib/removal.machine.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {
  copiesDeleted,
  goneFrom,
  groupOf,
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

const shownAgain = {
  type: 'mark',
  params: ({event: {key}}: {event: RemovalSettled}) => ({key, isRemoving: false}),
} as const
const heardAgain = {type: 'tellRestored', params: ({event}: {event: RemovalSettled}) => event} as const

/**
 * Changes of one conversation that ask nothing (decision 50): another version, a saved text, a branch, deleted messages.
 * One change at a time; each deletion waits for its undo by itself. Outlives the thread, so that a deletion happens also
 * when its conversation is left; ends with the list of conversations. A deletion that the server could not be told of stays
 * one, also through a reload; a question that is asked meanwhile takes it along (`conversation`, `truncating`), and a branch,
 * a shared link and an export wait for it. Of the tabs of a browser one has a deletion in hand: the one that deleted, as long as it is open, so that no other ends its undo.
 */
export const messageChangesMachine = setup({
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
    /** Takes a deletion in hand before the other tabs: says `removal.ours` when it has it, and lets it go some time after its end. */
    holdRemoval: streamPort<MessageChangesEvent, Message>('holdRemoval'),
  },
  delays: {
    callDeadline: 15_000,
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
    isRequested: ({context}) => context.isRequested,
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
    storeRequest: assign({isRequested: true}),
    clearRequest: assign({isRequested: false}),
    /** Those that asked meanwhile are answered by the next deletions, and the earlier ones with them. */
    emitDeleted: enqueueActions(({enqueue, context: {isRequested}}) => {
      if (!isRequested) enqueue.emit({type: 'deletions.settled'})
    }),
    /** Nothing is made of the server's copy. */
    giveUp: enqueueActions(({enqueue, context: {change, isRequested}}, {error}: {error: unknown}) => {
      const failure = toFailure(error)
      if (!isRequested) enqueue.emit({type: 'deletions.settled', failure})
      if (change === undefined) return
      enqueue.assign({failed: {message: change.message, failure}})
      enqueue.emit({type: 'change.settled', isDone: false})
    }),
    countViews: assign(({context: {views}}, {more}: {more: number}) => ({views: views + more})),
    storeFailure: assign(({context: {change, unheard}}, {error}: {error: unknown}) => {
      const failure = toFailure(error)
      return {failed: change && {message: change.message, failure}, unheard: withEnded(unheard, change, failure)}
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
      const gone = goneFrom(context, messages)
      for (const message of gone) {
        enqueue.stopChild(removalId(message))
        enqueue.stopChild(holdId(message))
      }
      enqueue.assign(withGone(context, gone))
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
}).createMachine({
  id: 'messageChanges',
  context: ({input: {unconfirmed}}) => ({
    removing: [],
    unconfirmed,
    elsewhere: unconfirmed,
    removed: [],
    isRequested: false,
    views: 0,
    unheard: [],
  }),
  initial: 'idle',
  entry: ['hold'],
  invoke: {
    id: 'followConversation',
    src: 'followConversation',
    // the list has ended, and all that is on its way with it
    onDone: {target: '.over'},
    // what was asked for is still done
    onError: {actions: [{type: 'logFailure', params: ({event}) => event}]},
  },
  on: {
    'view.opened': {actions: [{type: 'countViews', params: {more: 1}}]},
    'view.closed': {actions: [{type: 'countViews', params: {more: -1}}]},
    'message.remove': {
      guard: {type: 'isShown', params: ({event}) => event},
      actions: [
        {type: 'remove', params: ({event}) => event},
        {type: 'mark', params: ({event: {message}}) => ({key: message, isRemoving: true})},
      ],
    },
    'message.restore': {
      guard: {type: 'isRemoving', params: ({event}) => event},
      actions: [{type: 'undo', params: ({event}) => event}],
    },
    'page.leaving': {actions: ['flush']},
    'connection.restored': {actions: ['resume']},
    'messages.listed': {actions: [{type: 'forget', params: ({event}) => event}]},
    'removal.ours': {actions: [{type: 'takeOver', params: ({event}) => event}]},
    'message.restored': {
      guard: {type: 'isUnconfirmed', params: ({event}) => event},
      actions: [{type: 'letGo', params: ({event}) => event}],
    },
    'removal.undone': {actions: [{type: 'settle', params: ({event}) => event}, shownAgain, heardAgain]},
    'removal.done': {
      guard: {type: 'isRemoving', params: ({event: {key}}) => ({message: key})},
      actions: [{type: 'settle', params: ({event}) => event}],
    },
    'removal.failed': [
      {
        guard: {type: 'comesLater', params: ({event}) => event},
        actions: [{type: 'await', params: ({event}) => event}],
      },
      {
        actions: [
          {type: 'settle', params: ({event}) => event},
          shownAgain,
          heardAgain,
          {type: 'storeRemovalFailure', params: ({event}) => event},
        ],
      },
    ],
  },
  states: {
    idle: {
      entry: ['clearChange'],
      always: {guard: 'isRequested', target: 'deleting'},
      on: {
        'change.request': [
          {
            guard: {type: 'copiesDeleted', params: ({event}) => event.change},
            target: 'deleting',
            actions: [{type: 'storeChange', params: ({event}) => event}],
          },
          {target: 'changing', actions: [{type: 'storeChange', params: ({event}) => event}]},
        ],
        'deletions.request': {target: 'deleting'},
      },
      initial: 'unneeded',
      states: {
        unneeded: {
          always: {guard: 'isNeeded', target: 'needed'},
          after: {linger: {target: '#messageChanges.over'}},
        },
        needed: {always: {guard: not('isNeeded'), target: 'unneeded'}},
      },
    },
    deleting: {
      description: 'What is deleted goes from the server before it is copied: there is no way back any more.',
      entry: ['clearRequest'],
      invoke: {
        id: 'deletePending',
        src: 'deletePending',
        onDone: [
          {guard: 'hasChange', target: 'changing', actions: ['emitDeleted']},
          {target: 'idle', actions: ['emitDeleted']},
        ],
        onError: {
          target: 'idle',
          actions: [
            {type: 'giveUp', params: ({event}) => event},
            {type: 'logFailure', params: ({event}) => event},
          ],
        },
      },
      // a server that does not answer is not asked again for those that asked meanwhile
      after: {callDeadline: {target: 'idle', actions: ['clearRequest', {type: 'giveUp', params: timeout}]}},
      on: {'message.restore': {}, 'deletions.request': {actions: ['storeRequest']}},
    },
    changing: {
      on: {'deletions.request': {actions: ['storeRequest']}},
      invoke: {
        id: 'changeConversation',
        src: 'changeConversation',
        input: ({context}) => context.change,
        onDone: {
          target: 'idle',
          actions: [
            'forgetUnheard',
            {
              type: 'emitSettled',
              params: ({context: {change}, event}) => ({isDone: true, branch: event.output, group: groupOf(change)}),
            },
          ],
        },
        onError: {
          target: 'idle',
          actions: [
            {type: 'storeFailure', params: ({event}) => event},
            {type: 'logFailure', params: ({event}) => event},
            {type: 'emitSettled', params: {isDone: false}},
          ],
        },
      },
      after: {
        callDeadline: {
          target: 'idle',
          actions: [
            {type: 'storeFailure', params: timeout},
            {type: 'emitSettled', params: {isDone: false}},
          ],
        },
      },
    },
    over: {type: 'final'},
  },
})

export type MessageChangesActor = ActorRefFrom<typeof messageChangesMachine>
export type MessageChangesSnapshot = SnapshotFrom<typeof messageChangesMachine>
