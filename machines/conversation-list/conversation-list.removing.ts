import {without} from '#machines/lib/keys.ts'
import {keyOf, runningRecords} from './conversation-list.rules.ts'
import {conversationListSetup} from './conversation-list.setup.ts'
import type {
  ConversationListContext,
  ConversationsRemoved,
  OfferHeld,
  On,
  RemovalsLeft,
} from './conversation-list.types.ts'

/** Running conversations and those on screen have an actor. */
export const revived = [
  {
    type: 'start',
    params: ({context}: {context: ConversationListContext}) => ({records: runningRecords(context)}),
  },
  'nameShown',
] as const

const undo = {
  type: 'sendToRemovals',
  params: ({event: {keys}}: On<'conversations.restore'>) => ({keys, event: {type: 'removal.undo'} as const}),
} as const
const hold = {type: 'hold', params: ({event}: On<OfferHeld['type']>) => event} as const
type OfOtherTab = On<(ConversationsRemoved | RemovalsLeft)['type']>
const ownKeys = ({context, event: {keys}}: OfOtherTab) => ({
  keys: keys.map((key) => keyOf(context, key)),
})

/** Those that are not being deleted here. */
const othersKeys = (args: OfOtherTab) => ({
  keys: without(ownKeys(args).keys, ...args.context.removing),
  isUnconfirmed: false,
})

/** Deletions: out of the list at once, sent when they cannot be taken back any more. */
export const removing = conversationListSetup.createStateConfig({
  on: {
    'conversations.remove': {
      actions: [
        {type: 'stop', params: ({event}) => event},
        {type: 'remove', params: ({event}) => event},
      ],
    },
    'conversations.restore': [
      {
        guard: {type: 'isPastUndo', params: ({event}) => event},
        actions: [undo, {type: 'reportFailure', params: {kind: 'restore'}}],
      },
      {actions: [undo]},
    ],
    'removal.hold': {actions: [hold]},
    'removal.release': {actions: [hold]},
    'removals.due': {
      actions: [
        {type: 'sendToRemovals', params: ({context}) => ({keys: context.undoable, event: {type: 'removal.flush'}})},
        'closeUndo',
      ],
    },
    'page.leaving': {
      actions: [
        {type: 'reportRemoved', params: ({context}) => ({keys: context.removing, type: 'removals.left'})},
        {type: 'sendToRemovals', params: ({context}) => ({keys: context.removing, event: {type: 'removal.flush'}})},
        'closeUndo',
      ],
    },
    'removal.undone': {actions: [{type: 'showAgain', params: ({event}) => event}, ...revived]},
    'removal.done': {
      actions: [
        {type: 'reportRemoved', params: ({event: {key}}) => ({keys: [key], type: 'conversations.removed'})},
        {type: 'forget', params: ({event: {key}}) => ({keys: [key]})},
        'reportFailed',
      ],
    },
    // the other tab closes, and may not live to see its deletions through: they are sent from here as well, in time
    'removals.left': {
      actions: [
        {type: 'stop', params: ownKeys},
        {type: 'resumeRemovals', params: othersKeys},
      ],
    },
    // deleted in another tab
    'conversations.removed': {
      actions: [
        {type: 'stop', params: ownKeys},
        {type: 'stopRemovals', params: ownKeys},
        {type: 'forget', params: ({event}) => event},
        'reportFailed',
      ],
    },
    'removal.failed': {
      actions: [
        {type: 'storeFailed', params: ({event}) => event},
        {type: 'showAgain', params: ({event}) => event},
        ...revived,
        'reportFailed',
      ],
    },
  },
})
