import {conversationListSetup} from './conversation-list.setup.ts'

/** Reports of the browser's other tabs, except deletions; changes of `conversationChanges` have the same form. */
export const fromTabs = conversationListSetup.createStateConfig({
  on: {
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
    'followUps.heard': {actions: [{type: 'takeOverFollowUps', params: ({event}) => event}]},
    'followUps.asked': {actions: ['answerFollowUps']},
    'unsent.heard': {actions: [{type: 'keepUnsent', params: ({event}) => event}]},
    'unread.heard': {
      actions: [
        {type: 'reportSeen', params: ({event}) => event},
        {type: 'storeUnread', params: ({event}) => event},
      ],
    },
    'conversations.changed': {actions: [{type: 'storeChanges', params: ({event}) => event}]},
  },
})
