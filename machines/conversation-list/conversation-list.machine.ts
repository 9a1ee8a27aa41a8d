import type {ActorRefFrom, SnapshotFrom} from 'xstate'
import {noToken} from '#domain/failure.ts'
import type {ConversationChanged, ConversationRejected} from '#machines/conversation/conversation.types.ts'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {
  drainedKeys,
  findItem,
  isShown,
  keyOf,
  leavingKeys,
  listedOf,
  newRecord,
  twinsOf,
  unlistedShown,
  unpaidRecords,
} from './conversation-list.rules.ts'
import {conversationListSetup} from './conversation-list.setup.ts'
import type {ConversationListContext, On} from './conversation-list.types.ts'
import {removing, revived} from './conversation-list.removing.ts'

/** The screen shows other conversations: those before keep their actors only while they answer. */
const leave = {
  type: 'stop',
  params: ({context, event: {key, beside = []}}: On<'conversation.open' | 'conversation.create'>) => ({
    keys: leavingKeys(context, [key, ...beside]),
  }),
} as const
const opened = [
  leave,
  {
    type: 'start',
    params: ({context, event: {key, beside = []}}: On<'conversation.open'>) => ({
      records: [key, ...beside].flatMap((name) => listedOf(context, name)),
    }),
  },
  {type: 'show', params: ({event}: On<'conversation.open'>) => event},
  {
    type: 'reportUnread',
    params: ({event: {key, beside = []}}: On<'conversation.open'>) => ({keys: [key, ...beside], isUnread: false}),
  },
] as const

const findShown = {
  type: 'find',
  params: ({context}: {context: ConversationListContext}) => ({key: unlistedShown(context)}),
} as const

/** The server has another copy than the one that its refusal was about. */
const findCopy = {
  type: 'find',
  params: ({context, event: {key}}: {context: ConversationListContext; event: ConversationRejected}) => ({
    key: findItem(context, key)?.id ?? key,
  }),
} as const

type Changed = {context: ConversationListContext; event: ConversationChanged}
/** A conversation reports an answer that began or ended. Off the screen it has no actor longer than its answer. */
const changed = [
  {type: 'stop', params: ({context, event}: Changed) => ({keys: twinsOf(context, event.record)})},
  {type: 'storeChange', params: ({event}: Changed) => event},
  {type: 'reportChange', params: ({event}: Changed) => event},
  {
    type: 'reportUnread',
    params: ({context, event: {phase, record}}: Changed) => ({
      keys: context.unread.filter((key) => phase === 'settled' && key === record.key),
      isUnread: true,
    }),
  },
  {type: 'awaitName', params: ({event}: Changed) => event},
  {
    type: 'stop',
    params: ({context, event: {phase, record}}: Changed) => ({
      keys: phase === 'settled' && !isShown(context, record.key) ? [record.key] : [],
    }),
  },
  {type: 'findMissed', params: ({event}: Changed) => ({id: event.record.id})},
] as const

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
 * what still runs and what no server has; a load without an answer empties nothing. Conversations are addressed by a key of the client that never changes; the server's id joins it
 * with the first answer. Leaving a conversation stops nothing that answers. Owned by `session`; ends with it.
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
    ...removing.on,
    'credential.ready': {
      target: '.request',
      // what was asked or deleted without a credential goes out
      actions: [
        {type: 'sendToAll', params: ({event}) => event},
        {type: 'sendToRemovals', params: ({context, event}) => ({keys: context.removing, event})},
      ],
    },
    'credits.*': {
      actions: [
        {type: 'start', params: ({context, event}) => ({records: unpaidRecords(context, event)})},
        {type: 'sendToAll', params: ({event}) => event},
      ],
    },
    'page.shown': {guard: 'hasUnpaid', actions: ['askForBalance']},
    'credential.missing': {target: '.error', actions: [{type: 'clearList', params: {error: noToken}}]},
    'conversation.create': {
      actions: [
        leave,
        {
          type: 'start',
          params: ({context, event: {key, model}}) => ({records: [findItem(context, key) ?? newRecord(key, model)]}),
        },
        {type: 'show', params: ({event}) => event},
        {type: 'send', params: ({event: {key, prompt}}) => ({key, event: prompt})},
      ],
    },
    'conversation.open': {actions: [...opened]},
    'conversation.close': {
      actions: [{type: 'stop', params: ({context}) => ({keys: leavingKeys(context)})}, 'hide'],
    },
    'conversation.changed': [
      {
        // the one on screen goes on alone: it follows the answer, and gets what the other has heard
        guard: {type: 'isShownAsTwin', params: ({event}) => event},
        actions: [
          {type: 'stop', params: ({event}) => ({keys: [event.record.key]})},
          {type: 'drop', params: ({event}) => event.record},
          {type: 'shareHistory', params: ({event}) => ({records: [event.record]})},
        ],
      },
      {actions: [...changed]},
    ],
    'followUps.changed': {
      guard: {type: 'isListed', params: ({event}) => event},
      actions: [
        {type: 'stop', params: ({context, event}) => ({keys: drainedKeys(context, event)})},
        {type: 'storeFollowUps', params: ({event}) => event},
        {type: 'tellFollowUps', params: ({event}) => event},
      ],
    },
    'followUps.heard': {
      actions: [
        {type: 'keepFollowUps', params: ({event}) => event},
        {type: 'send', params: ({event}) => ({key: event.key, event: {type: 'followUps.heard', items: event.items}})},
      ],
    },
    'conversations.changed': {actions: [{type: 'storeChanges', params: ({event}) => event}]},
    'naming.settled': {
      guard: {type: 'isUntitled', params: ({event}) => event},
      actions: [{type: 'storeChanges', params: ({event: {key, title}}) => ({changes: [{key, title}]})}],
    },
    'unread.heard': {
      actions: [
        {type: 'reportSeen', params: ({event}) => event},
        {type: 'storeUnread', params: ({event}) => event},
      ],
    },
    'conversation.rejected': [
      {
        // no screen shows its thread, which keeps the answer that it had
        guard: {type: 'isOffScreen', params: ({event}) => event},
        actions: [
          {type: 'stop', params: ({event}) => ({keys: [event.key]})},
          {type: 'reportFailure', params: ({event: {failure}}) => ({kind: 'retry', failure})},
          findCopy,
        ],
      },
      {actions: [findCopy]},
    ],
    'conversation.retry': {
      guard: {type: 'isRetriable', params: ({event}) => event},
      actions: [
        {type: 'start', params: ({context, event}) => ({records: listedOf(context, event.key)})},
        {type: 'markRead', params: ({event}) => event},
        {
          type: 'send',
          params: ({event: {key, requestKey, at}}) => ({key, event: {type: 'answer.retry', key: requestKey, at}}),
        },
      ],
    },
    // what is being read may be older than what this is about
    'conversations.refresh': {target: '.request'},
    'conversation.heard': [
      {
        guard: {type: 'isMissed', params: ({event}) => event},
        actions: [{type: 'storeMissed', params: ({event}) => event}],
      },
      {
        guard: {type: 'isNews', params: ({event}) => event},
        actions: [{type: 'find', params: ({event}) => ({key: event.id})}],
      },
    ],
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
    'service.changed': {
      actions: [
        {type: 'storeCapabilities', params: ({event}) => event},
        {type: 'sendToAll', params: ({event}) => event},
      ],
    },
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
