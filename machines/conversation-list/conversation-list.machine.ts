import type {ActorRefFrom, SnapshotFrom} from 'xstate'
import {noToken} from '#domain/failure.ts'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {findItem, keysToRemove} from './conversation-list.rules.ts'
import {conversationListSetup} from './conversation-list.setup.ts'

/** Read once: what was missed while there was no network is read again with it. */
const read = conversationListSetup.createStateConfig({
  on: {
    'conversation.open': {
      actions: [
        {type: 'retire', params: ({event}) => ({next: event.key})},
        {type: 'open', params: ({event}) => event},
        'findActive',
      ],
    },
    'conversations.refresh': {target: 'request'},
    'connection.restored': {target: 'request'},
  },
})

/**
 * The conversations of one user, and the actors of those that are open or answering (spec §4).
 *
 * States are the specification's request status. A failed load, or no credential token, empties the list and keeps
 * what still runs and what no server has. Conversations are addressed by a key of the client that never changes; the server's id joins it
 * with the first answer. Leaving a conversation stops nothing that answers. Owned by `session`; ends with it.
 */
export const conversationListMachine = conversationListSetup.createMachine({
  id: 'conversationList',
  context: ({input: {userId, environment, parentRef, restored = [], unconfirmed = []}}) => ({
    userId,
    environment,
    parentRef,
    items: restored,
    unread: [],
    answering: [],
    ...keysToRemove(restored, unconfirmed),
    removed: [],
    crashed: [],
    finding: [],
    missed: [],
    live: [],
    pages: [],
    nextPage: 0,
    capabilities: [],
  }),
  invoke: [
    environmentInvoke,
    {
      id: 'answerFeed',
      systemId: 'answerFeed',
      src: 'answerFeed',
      input: ({context: {userId, environment}}) => ({userId, environment}),
      // conversations look after their answers by themselves then
      onError: {actions: [{type: 'logFeedCrash', params: ({event}) => event}]},
    },
  ],
  initial: 'none',
  on: {
    'credential.ready': {target: '.request', actions: ['tellReady', 'repeatRemovals']},
    'credential.missing': {target: '.error', actions: [{type: 'clearList', params: {error: noToken}}]},
    'conversation.create': {
      actions: [
        {type: 'retire', params: ({event}) => ({next: event.key})},
        {type: 'create', params: ({event}) => event},
      ],
    },
    'conversation.open': {
      actions: [
        {type: 'retire', params: ({event}) => ({next: event.key})},
        {type: 'open', params: ({event}) => event},
      ],
    },
    'conversation.close': {actions: [{type: 'retire', params: {}}]},
    'conversation.changed': [
      {
        guard: {type: 'isShownAsTwin', params: ({event}) => event},
        actions: [{type: 'stepAside', params: ({event}) => event}],
      },
      {
        actions: [
          {type: 'storeChange', params: ({event}) => event},
          {type: 'findMissed', params: ({event}) => ({id: event.record.id})},
        ],
      },
    ],
    'conversation.rejected': [
      {
        guard: {type: 'isOffScreen', params: ({event}) => event},
        actions: [
          {type: 'tellRetryFailed', params: ({event}) => event},
          {type: 'findChanged', params: ({context, event}) => ({id: findItem(context, event.key)?.id ?? event.key})},
        ],
      },
      {
        actions: [
          {type: 'findChanged', params: ({context, event}) => ({id: findItem(context, event.key)?.id ?? event.key})},
        ],
      },
    ],
    'conversation.retry': {
      guard: {type: 'isRetriable', params: ({event}) => event},
      actions: [{type: 'retry', params: ({event}) => event}],
    },
    'conversation.heard': [
      {
        guard: {type: 'isMissed', params: ({event}) => event},
        actions: [{type: 'storeMissed', params: ({event}) => event}],
      },
      {
        guard: {type: 'isNews', params: ({event}) => event},
        actions: [{type: 'findChanged', params: ({event}) => event}],
      },
    ],
    'conversation.rename': {
      guard: {type: 'isRenamable', params: ({event}) => event},
      actions: [{type: 'rename', params: ({event}) => event}],
    },
    'finding.settled': [
      {
        guard: {type: 'isLost', params: ({event}) => event},
        target: '.error',
        actions: [{type: 'storeFound', params: ({event}) => event}],
      },
      {
        actions: [
          {type: 'storeFound', params: ({event}) => event},
          'reviveRunning',
          {type: 'findMissed', params: ({event}) => ({id: event.record?.id ?? event.key})},
        ],
      },
    ],
    'naming.settled': {actions: [{type: 'storeName', params: ({event}) => event}]},
    'renaming.failed': {actions: [{type: 'restoreTitle', params: ({event}) => event}]},
    'conversation.remove': {
      guard: {type: 'isRemovable', params: ({event}) => event},
      actions: [{type: 'remove', params: ({event}) => event}],
    },
    'conversation.restore': {
      guard: {type: 'isUndoable', params: ({event}) => event},
      actions: [{type: 'undoRemoval', params: ({event}) => event}],
    },
    'page.leaving': {actions: ['flushRemovals']},
    'removal.undone': {actions: [{type: 'showAgain', params: ({event}) => event}, 'reviveRunning']},
    'removal.done': {actions: [{type: 'forget', params: ({event}) => event}]},
    'removal.failed': {
      actions: [
        {type: 'showAgain', params: ({event}) => event},
        'reviveRunning',
        {type: 'tellRemoveFailed', params: ({event}) => event},
      ],
    },
    'service.changed': {actions: [{type: 'storeCapabilities', params: ({event}) => event}]},
    'xstate.error.actor.*': {actions: [{type: 'dropChild', params: ({event}) => event}]},
  },
  states: {
    none: {on: {'conversations.refresh': {target: 'request'}}},
    request: {
      description: 'Page by page, each with a deadline of its own: a long list on a slow line is no failure.',
      initial: 'starting',
      states: {
        starting: {entry: ['clearPages'], always: {target: 'reading'}},
        reading: {
          invoke: {
            id: 'getConversations',
            src: 'getConversations',
            input: ({context: {userId, nextPage}}) => ({userId, offset: nextPage}),
            onDone: [
              {
                guard: {type: 'hasMore', params: ({event}) => event},
                target: 'reading',
                reenter: true,
                actions: [{type: 'storePage', params: ({event}) => event}],
              },
              {
                target: '#conversationList.success',
                actions: [
                  {type: 'storePage', params: ({event}) => event},
                  'storeList',
                  'shareHistory',
                  'reviveRunning',
                  'clearPages',
                ],
              },
            ],
            onError: {target: '#conversationList.error', actions: [{type: 'clearList', params: ({event}) => event}]},
          },
          after: {callDeadline: {target: '#conversationList.error', actions: [{type: 'clearList', params: timeout}]}},
        },
      },
    },
    success: {entry: ['findActive'], ...read},
    error: read,
  },
})

export type ConversationListActor = ActorRefFrom<typeof conversationListMachine>
export type ConversationListSnapshot = SnapshotFrom<typeof conversationListMachine>
