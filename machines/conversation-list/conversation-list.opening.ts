import type {ConversationChanged, ConversationRejected} from '#machines/conversation/conversation.types.ts'
import {
  drainedKeys,
  findItem,
  isShown,
  leavingKeys,
  listedOf,
  newRecord,
  twinsOf,
  unlistedShown,
  unpaidRecords,
} from './conversation-list.rules.ts'
import {conversationListSetup} from './conversation-list.setup.ts'
import type {ConversationListContext, On} from './conversation-list.types.ts'

/** The screen shows other conversations: those before keep their actors only while they answer. */
const leave = {
  type: 'stop',
  params: ({context, event: {key, beside = []}}: On<'conversation.open' | 'conversation.create'>) => ({
    keys: leavingKeys(context, [key, ...beside]),
  }),
} as const
/** Asks by itself for a conversation that is on screen and not listed, while the list is read and once it was. */
export const findShown = {
  type: 'find',
  params: ({context}: {context: ConversationListContext}) => ({key: unlistedShown(context)}),
} as const
export const openingActions = [
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

/** The server has another copy than the one that its refusal was about. */
const findCopy = {
  type: 'find',
  params: ({context, event: {key}}: {context: ConversationListContext; event: ConversationRejected}) => ({
    key: findItem(context, key)?.id ?? key,
  }),
} as const

type ChangeReport = {context: ConversationListContext; event: ConversationChanged}
/** A conversation reports an answer that began or ended. Off the screen it has no actor longer than its answer. */
const changed = [
  {type: 'stop', params: ({context, event}: ChangeReport) => ({keys: twinsOf(context, event.record)})},
  {type: 'tellFollowUps', params: ({event}: ChangeReport) => event},
  {type: 'tellUnsent', params: ({event}: ChangeReport) => event},
  {type: 'joinFollowUps', params: ({event}: ChangeReport) => event},
  {type: 'storeChange', params: ({event}: ChangeReport) => event},
  {type: 'reportChange', params: ({event}: ChangeReport) => event},
  {
    type: 'reportUnread',
    params: ({context, event: {phase, record}}: ChangeReport) => ({
      keys: context.unread.filter((key) => phase === 'settled' && key === record.key),
      isUnread: true,
    }),
  },
  {
    type: 'awaitNames',
    params: ({event: {phase, record}}: ChangeReport) => ({records: phase === 'running' ? [] : [record]}),
  },
  {
    type: 'stop',
    params: ({context, event: {phase, record}}: ChangeReport) => ({
      keys: phase === 'settled' && !isShown(context, record.key) ? [record.key] : [],
    }),
  },
  {type: 'findMissed', params: ({event}: ChangeReport) => ({id: event.record.id})},
] as const

/** Conversations that are shown or answer have an actor, which reports to the list. Leaving one stops no answer. */
export const opening = conversationListSetup.createStateConfig({
  on: {
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
    'conversation.open': {actions: [...openingActions, findShown]},
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
          // the questions that wait in the other go out here, after its answer
          {
            type: 'takeOverFollowUps',
            params: ({event: {record}}) => ({key: record.id ?? '', items: record.followUps ?? [], was: []}),
          },
          {type: 'shareHistory', params: ({event}) => ({records: [event.record]})},
        ],
      },
      {actions: [...changed]},
    ],
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
    'followUps.changed': {
      guard: {type: 'isListed', params: ({event}) => event},
      actions: [
        {type: 'stop', params: ({context, event}) => ({keys: drainedKeys(context, event)})},
        {type: 'tellFollowUps', params: ({event}) => event},
        {type: 'storeFollowUps', params: ({event}) => event},
      ],
    },
    'credits.*': {
      actions: [
        {type: 'start', params: ({context, event}) => ({records: unpaidRecords(context, event)})},
        {type: 'sendToAll', params: ({event}) => event},
      ],
    },
    'page.shown': {guard: 'hasUnpaid', actions: ['askForBalance']},
    'service.changed': {
      actions: [
        {type: 'storeCapabilities', params: ({event}) => event},
        {type: 'sendToAll', params: ({event}) => event},
      ],
    },
  },
})
