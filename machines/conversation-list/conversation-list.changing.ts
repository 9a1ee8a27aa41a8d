import type {ConversationChange} from '#domain/conversation.ts'
import {toFailure} from '#domain/failure.ts'
import {nextChanges, pendingChanges, refusedChanges} from './conversation-list.rules.ts'
import {conversationListSetup} from './conversation-list.setup.ts'
import type {ConversationListEvent, On} from './conversation-list.types.ts'

/** Runs before the change is stored: a refusal restores the previous value. */
const change = <Type extends ConversationListEvent['type']>(
  changesOf: (args: On<Type>) => readonly ConversationChange[],
) =>
  [
    {
      type: 'sendChanges',
      params: (args: On<Type>) => ({pending: pendingChanges(args.context, changesOf(args))}),
    },
    {type: 'reportChanges', params: (args: On<Type>) => ({changes: changesOf(args)})},
    {type: 'storeChanges', params: (args: On<Type>) => ({changes: changesOf(args)})},
  ] as const

const refused = ({context, event}: On<'changing.settled'>) => ({changes: refusedChanges(context, event)})
const sendNext = {
  type: 'sendChanges',
  params: ({context, event}: On<'changing.settled'>) => ({
    pending: nextChanges(context, event),
    settled: event.sent.map(({key}) => key),
  }),
} as const

/** Titles and marks: shown at once, sent one change at a time, and brought back where the server refuses. */
export const changing = conversationListSetup.createStateConfig({
  on: {
    'conversation.rename': {
      guard: {type: 'isRenamable', params: ({event}) => event},
      actions: [...change(({event: {key, title}}: On<'conversation.rename'>) => [{key, title: title.trim()}])],
    },
    'conversations.mark': {
      guard: 'offersMarks',
      actions: [
        {type: 'offerMarksBack', params: ({event}) => event},
        ...change(({event}: On<'conversations.mark'>) => event.changes),
      ],
    },
    'conversations.changed': {actions: [{type: 'storeChanges', params: ({event}) => event}]},
    'naming.settled': {
      guard: {type: 'isUntitled', params: ({event}) => event},
      actions: [{type: 'storeChanges', params: ({event: {key, title}}) => ({changes: [{key, title}]})}],
    },
    'changing.settled': [
      {
        guard: {type: 'isRefused', params: ({event}) => event},
        actions: [
          {type: 'storeChanges', params: refused},
          {type: 'reportChanges', params: refused},
          {
            type: 'reportFailure',
            params: ({context, event}) => ({
              kind: refusedChanges(context, event).some((change) => 'title' in change) ? 'rename' : 'mark',
              failure: toFailure(event.failure),
            }),
          },
          sendNext,
        ],
      },
      {actions: [sendNext]},
    ],
  },
})
