import type {DoneActorEvent, ErrorActorEvent} from 'xstate'
import type {ConversationPagesOutput} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {findShown} from './conversation-list.opening.ts'
import {revived} from './conversation-list.removing.ts'
import {changedItems, newestOf} from './conversation-list.rules.ts'
import {conversationListSetup} from './conversation-list.setup.ts'
import type {ConversationListContext} from './conversation-list.types.ts'

type WithContext = {context: ConversationListContext}
type PagesDone = {event: DoneActorEvent<ConversationPagesOutput>}
type PagesFailure = {event: ErrorActorEvent}

const outputOf = ({context, event: {output}}: WithContext & PagesDone) => ({
  ...output,
  records: changedItems({items: output.records}, Object.values(context.changed)),
})
const errorOf = ({event}: PagesDone | PagesFailure) => ({error: 'output' in event ? event.output.failure : event.error})

const pages = {
  id: 'pages',
  src: 'pages',
  input: ({context: {userId, items}}: WithContext) => ({userId, kept: items}),
} as const

const read = {
  target: '#conversationList.success',
  actions: [
    {type: 'storeList', params: outputOf},
    {type: 'reportUnread', params: ({context}: WithContext) => ({keys: context.unread, isUnread: true})},
    {type: 'shareHistory', params: outputOf},
    ...revived,
    {type: 'awaitNames', params: ({context}: WithContext) => ({records: newestOf(context, context.items)})},
  ],
} as const
const cleared = {target: '#conversationList.error', actions: [{type: 'clearList', params: errorOf}]} as const
const failure = {target: '#conversationList.error', actions: [{type: 'storeFailure', params: errorOf}]} as const

/** Sends the questions and deletions that waited for a credential. */
export const sendHeld = [
  {type: 'sendToAll', params: {type: 'credential.ready'}},
  {
    type: 'sendToRemovals',
    params: ({context}: WithContext) => ({keys: context.removing, event: {type: 'credential.ready'} as const}),
  },
] as const

/** Once a first read has ended, the list is only read again. */
const readAgain = {
  'credential.ready': {target: '#conversationList.request.again', reenter: true, actions: [...sendHeld]},
  'conversations.refresh': {target: '#conversationList.request.again', reenter: true},
} as const

/**
 * The list is read: for the first time, which empties it where that fails (spec §4), or again, when only a refusal
 * does. What a server has no answer to, or fails at, says nothing about what it has (decision 153).
 */
export const reading = conversationListSetup.createStateConfig({
  initial: 'first',
  states: {
    first: {
      entry: ['forgetChanges', findShown],
      invoke: {
        ...pages,
        onDone: [{guard: {type: 'hasFailed', params: outputOf}, ...cleared}, read],
        onError: cleared,
      },
    },
    again: {
      entry: ['forgetChanges', findShown],
      on: readAgain,
      invoke: {
        ...pages,
        onDone: [
          {guard: {type: 'isRefused', params: outputOf}, ...cleared},
          {guard: {type: 'hasFailed', params: outputOf}, ...failure},
          read,
        ],
        onError: failure,
      },
    },
  },
})

/** The list was read, or could not be. What was missed while there was no network is read with it. */
export const afterReading = conversationListSetup.createStateConfig({
  on: {
    ...readAgain,
    'connection.restored': {target: '#conversationList.request.again'},
    // one that fails while the list is read says no more than that reading does
    'finding.settled': {
      guard: {type: 'isUnknown', params: ({event}) => event},
      target: '#conversationList.error',
      actions: [
        {type: 'storeFinding', params: ({event}) => event},
        {type: 'storeFailure', params: ({event: {failure}}) => ({error: failure})},
      ],
    },
  },
})
