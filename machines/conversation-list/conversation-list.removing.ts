import {runningRecords} from './conversation-list.rules.ts'
import {conversationListSetup} from './conversation-list.setup.ts'
import type {ConversationListContext} from './conversation-list.types.ts'

/** Running conversations and those on screen have an actor. */
export const revived = [
  {
    type: 'start',
    params: ({context}: {context: ConversationListContext}) => ({records: runningRecords(context)}),
  },
  'nameShown',
] as const

/** Deletions: out of the list at once, sent when they cannot be taken back any more. */
export const removing = conversationListSetup.createStateConfig({
  on: {
    'conversations.remove': {
      actions: [
        {type: 'stop', params: ({event}) => event},
        {type: 'remove', params: ({event}) => event},
      ],
    },
    'conversations.restore': {
      actions: [{type: 'sendToRemovals', params: ({event: {keys}}) => ({keys, event: {type: 'removal.undo'}})}],
    },
    'removals.due': {
      actions: [
        {
          type: 'sendToRemovals',
          params: ({event: {keys, deletion}}) => ({keys, event: {type: 'removal.flush', deletion}}),
        },
      ],
    },
    'page.leaving': {
      actions: [
        {type: 'sendToRemovals', params: ({context}) => ({keys: context.removing, event: {type: 'removal.flush'}})},
      ],
    },
    'removal.undone': {actions: [{type: 'showAgain', params: ({event}) => event}, ...revived]},
    'removal.done': {actions: [{type: 'forget', params: ({event}) => event}]},
    'removal.failed': {
      actions: [
        {type: 'showAgain', params: ({event}) => event},
        ...revived,
        {type: 'reportFailure', params: ({event: {failure}}) => ({kind: 'remove', failure})},
      ],
    },
  },
})
