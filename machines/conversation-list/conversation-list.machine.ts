import type {ActorRefFrom, SnapshotFrom} from 'xstate'
import {noToken} from '#domain/failure.ts'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {findShown, opening, openingActions} from './conversation-list.opening.ts'
import {afterReading, reading, sendHeld} from './conversation-list.reading.ts'
import {removing, revived} from './conversation-list.removing.ts'
import {keyOf, newestOf} from './conversation-list.rules.ts'
import {conversationListSetup} from './conversation-list.setup.ts'
import {fromTabs} from './conversation-list.tabs.ts'

/**
 * The conversations of one user, and the actors of those that are open or answering (spec §4).
 *
 * States are the specification's request status (`.reading`). A failed load, or no credential token, empties the list
 * and keeps what still runs and what no server has; a load without an answer, or a failure of a list that is read
 * again, empties nothing. In all of them conversations are opened (`.opening`), deleted (`.removing`), and changed by
 * other tabs (`.tabs`). Conversations are addressed by a key of the client that never changes; the server's id joins it
 * with the first answer. Owned by `session`; ends with it.
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
    undoable: [],
    failed: [],
    changed: {},
    removed: [],
    finding: [],
    absent: [],
    missed: [],
    queues: {},
    held: [],
    capabilities: [],
  }),
  entry: [{type: 'resumeRemovals', params: ({context}) => ({keys: context.removing, isUnconfirmed: true})}],
  invoke: environmentInvoke,
  initial: 'none',
  on: {
    ...opening.on,
    ...fromTabs.on,
    ...removing.on,
    'credential.ready': {target: '.request', actions: [...sendHeld]},
    'credential.missing': {target: '.error', actions: [{type: 'clearList', params: {error: noToken}}]},
    'naming.settled': {
      guard: {type: 'isUntitled', params: ({event}) => event},
      actions: [
        {type: 'storeChanges', params: ({event: {key, title}}) => ({changes: [{key, title}]})},
        {type: 'tellName', params: ({event}) => event},
      ],
    },
    // what is being read may be older than what this is about
    'conversations.refresh': {target: '.request'},
    'finding.settled': {
      actions: [
        {type: 'storeFinding', params: ({event}) => event},
        {type: 'findMissed', params: ({event}) => ({id: event.key})},
      ],
    },
    'conversation.loaded': {
      actions: [
        {type: 'storeCopy', params: ({event}) => event},
        {type: 'shareHistory', params: ({event: {record}}) => ({records: [record]})},
        ...revived,
        {type: 'awaitNames', params: ({context, event}) => ({records: newestOf(context, [event.record])})},
        {type: 'findMissed', params: ({event}) => event.record},
      ],
    },
    'xstate.error.actor.*': {actions: [{type: 'dropChild', params: ({event}) => event}]},
  },
  states: {
    /** Nothing can be asked for. */
    none: {on: {'conversation.open': {actions: [...openingActions]}}},
    request: reading,
    success: {entry: [findShown], on: afterReading.on},
    error: {on: afterReading.on},
  },
})

export type ConversationListActor = ActorRefFrom<typeof conversationListMachine>
export type ConversationListSnapshot = SnapshotFrom<typeof conversationListMachine>
