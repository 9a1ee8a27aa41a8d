import type {ActorRefFrom, SnapshotFrom} from 'xstate'
import {noToken} from '#domain/failure.ts'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {opened, opening} from './conversation-list.opening.ts'
import {removing, revived} from './conversation-list.removing.ts'
import {keyOf, unlistedShown} from './conversation-list.rules.ts'
import {conversationListSetup} from './conversation-list.setup.ts'
import {fromTabs} from './conversation-list.tabs.ts'
import type {ConversationListContext} from './conversation-list.types.ts'

const findShown = {
  type: 'find',
  params: ({context}: {context: ConversationListContext}) => ({key: unlistedShown(context)}),
} as const

/** Read once: what was missed while there was no network is read again with it. */
const read = conversationListSetup.createStateConfig({
  on: {
    'conversation.open': {actions: [...opened, findShown]},
    'connection.restored': {target: 'request'},
  },
})

/**
 * The conversations of one user, and the actors of those that are open or answering (spec §4).
 *
 * States are the specification's request status. A failed load, or no credential token, empties the list and keeps
 * what still runs and what no server has; a load without an answer empties nothing. In all of them conversations are
 * opened (`.opening`), deleted (`.removing`), and changed by other tabs (`.tabs`). Conversations are addressed by a key
 * of the client that never changes; the server's id joins it with the first answer. Owned by `session`; ends with it.
 */
export const conversationListMachine = conversationListSetup.createMachine({
  id: 'conversationList',
  context: ({input: {userId, environment, parentRef, restored = [], unconfirmed = [], unread = []}}) => ({
    userId,
    environment,
    parentRef,
    shown: [],
    items: restored,
    unread: unread.map((id) => keyOf({items: restored}, id)),
    phases: {},
    removing: unconfirmed.map((id) => keyOf({items: restored}, id)),
    undoable: {},
    deletions: 0,
    removed: [],
    finding: [],
    missed: [],
    capabilities: [],
  }),
  entry: [{type: 'resumeRemovals', params: ({context}) => ({keys: context.removing, isUnconfirmed: true})}],
  invoke: environmentInvoke,
  initial: 'none',
  on: {
    ...opening.on,
    ...fromTabs.on,
    ...removing.on,
    'credential.ready': {
      target: '.request',
      // what was asked or deleted without a credential goes out
      actions: [
        {type: 'sendToAll', params: ({event}) => event},
        {type: 'sendToRemovals', params: ({context, event}) => ({keys: context.removing, event})},
      ],
    },
    'credential.missing': {target: '.error', actions: [{type: 'clearList', params: {error: noToken}}]},
    'naming.settled': {
      guard: {type: 'isUntitled', params: ({event}) => event},
      actions: [{type: 'storeChanges', params: ({event: {key, title}}) => ({changes: [{key, title}]})}],
    },
    // what is being read may be older than what this is about
    'conversations.refresh': {target: '.request'},
    'finding.settled': [
      {
        guard: {type: 'isLost', params: ({event}) => event},
        target: '.error',
        actions: [{type: 'storeFinding', params: ({event}) => event}],
      },
      {
        actions: [
          {type: 'storeFinding', params: ({event}) => event},
          {type: 'shareHistory', params: ({event: {record}}) => ({records: record === undefined ? [] : [record]})},
          ...revived,
          {type: 'findMissed', params: ({event}) => ({id: event.record?.id ?? event.key})},
        ],
      },
    ],
    'xstate.error.actor.*': {actions: [{type: 'dropChild', params: ({event}) => event}]},
  },
  states: {
    none: {},
    request: {
      invoke: {
        id: 'pages',
        src: 'pages',
        input: ({context: {userId}}) => ({userId}),
        onDone: [
          {
            guard: {type: 'hasFailed', params: ({event}) => event.output},
            target: 'error',
            actions: [{type: 'clearList', params: ({event}) => ({error: event.output.failure})}],
          },
          {
            target: 'success',
            actions: [
              {type: 'storeList', params: ({event}) => event.output},
              {type: 'reportUnread', params: ({context}) => ({keys: context.unread, isUnread: true})},
              {type: 'shareHistory', params: ({event}) => event.output},
              ...revived,
            ],
          },
        ],
        onError: {target: 'error', actions: [{type: 'clearList', params: ({event}) => event}]},
      },
    },
    success: {entry: [findShown], ...read},
    error: read,
  },
})

export type ConversationListActor = ActorRefFrom<typeof conversationListMachine>
export type ConversationListSnapshot = SnapshotFrom<typeof conversationListMachine>
