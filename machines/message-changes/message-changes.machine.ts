import {and, not, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {RemovalSettled} from '#machines/lib/removal.machine.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {groupOf} from './message-changes.rules.ts'
import {messageChangesSetup} from './message-changes.setup.ts'
import type {MessageChange} from './message-changes.types.ts'

const shownAgain = {
  type: 'mark',
  params: ({event: {key}}: {event: RemovalSettled}) => ({key, isRemoving: false}),
} as const
const heardAgain = {type: 'tellRestored', params: ({event}: {event: RemovalSettled}) => event} as const
const waits = {
  guard: {type: 'isOther', params: ({event}: {event: {change: MessageChange}}) => event},
  actions: [{type: 'storeWaiting', params: ({event}: {event: {change: MessageChange}}) => event}],
} as const
const giveUp = {type: 'giveUp', params: ({event}: {event: {error: unknown}}) => event} as const
const logError = {type: 'logFailure', params: ({event}: {event: {error: unknown}}) => event} as const

/**
 * Changes of one conversation that ask nothing (decision 50): another version, a saved text, a branch, deleted
 * messages. One change at a time, in the order in which they are asked for; each deletion waits for its undo by itself.
 * Outlives the thread, so that a deletion happens also when its conversation is left; ends with the list of
 * conversations.
 *
 * A deletion that the server could not be told of stays one, also through a reload; a question that is asked meanwhile
 * takes it along (`conversation`, `truncating`), and a branch, a shared link and an export wait for it. Of the tabs of
 * a browser one has a deletion in hand: the one that deleted, as long as it is open, so that no other ends its undo.
 */
export const messageChangesMachine = messageChangesSetup.createMachine({
  id: 'messageChanges',
  context: ({input: {unconfirmed}}) => ({
    removing: [],
    unconfirmed,
    elsewhere: unconfirmed,
    removed: [],
    waiting: [],
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
    'removal.ours': {actions: [{type: 'takeOver', params: ({event}) => event}, 'resumeReachable']},
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
      entry: ['clearChange', 'requestWaiting'],
      on: {
        'change.request': [
          {
            guard: {type: 'copiesDeleted', params: ({event}) => event.change},
            target: 'deleting',
            actions: [{type: 'storeChange', params: ({event}) => event}],
          },
          {target: 'changing', actions: [{type: 'storeChange', params: ({event}) => event}]},
        ],
        'path.listed': {
          target: 'changing',
          actions: [{type: 'storeChange', params: ({event: {message}}) => ({change: {action: 'visit', message}})}],
        },
        'deletions.request': {target: 'deleting'},
      },
      initial: 'unneeded',
      states: {
        unneeded: {
          always: {guard: 'isNeeded', target: 'needed'},
          after: {linger: {target: '#messageChanges.over'}},
        },
        needed: {
          always: {guard: not('isNeeded'), target: 'unneeded'},
          initial: 'sound',
          states: {
            sound: {always: {guard: 'isFailureShown', target: 'failed'}},
            failed: {
              description: 'A thread says what failed, until the user dismisses it, leaves or changes something.',
              always: {guard: not('isFailureShown'), target: 'sound', actions: ['clearFailure']},
              on: {'failure.dismiss': {target: 'sound', actions: ['clearFailure']}},
            },
          },
        },
      },
    },
    deleting: {
      description: 'What is deleted goes from the server before it is copied: there is no way back any more.',
      invoke: {
        id: 'deletePending',
        src: 'deletePending',
        onDone: [
          {guard: and(['isRequestedAgain', 'hasChange']), target: 'changing.requested'},
          {guard: 'isRequestedAgain', target: 'idle', actions: ['requestAgain']},
          {guard: 'hasChange', target: 'changing', actions: [{type: 'emitDeletions', params: {}}]},
          {target: 'idle', actions: [{type: 'emitDeletions', params: {}}]},
        ],
        onError: [
          {guard: 'isRequestedAgain', target: 'idle', actions: [giveUp, logError, 'requestAgain']},
          {target: 'idle', actions: [{type: 'emitDeletions', params: ({event}) => event}, giveUp, logError]},
        ],
      },
      // a server that does not answer is not asked again for those that asked meanwhile
      after: {
        callDeadline: {
          target: 'idle',
          actions: [
            {type: 'emitDeletions', params: timeout},
            {type: 'giveUp', params: timeout},
          ],
        },
      },
      on: {'message.restore': {}, 'change.request': waits},
      initial: 'requested',
      states: {
        requested: {on: {'deletions.request': {target: 'requestedAgain'}}},
        requestedAgain: {
          description: 'These deletions do not answer for those that asked meanwhile: all hear of the next ones.',
        },
      },
    },
    changing: {
      on: {'change.request': waits},
      initial: 'unrequested',
      states: {
        unrequested: {on: {'deletions.request': {target: 'requested'}}},
        requested: {
          description: 'Others asked for the deletions meanwhile: these follow the change.',
          exit: ['requestAgain'],
        },
      },
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
