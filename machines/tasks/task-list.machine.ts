import {type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {noMarks} from '#domain/favourites.ts'
import {taskListSetup} from './task-list.setup.ts'
import {cache, days, favourites, finding, older, page, peers, poll, surroundings} from './task-list.states.ts'
import {newlyNamed} from './tasks.rules.ts'

/**
 * The tasks of one tool and person (spec §3, §4): the list ascending by time with the server's count, requests that
 * have no task yet, and what runs. Cached tasks are shown at once and read again when a screen opens. Owned by `tasks`,
 * not by the screen: leaving it stops nothing. Times of tasks in unix seconds, delays in milliseconds.
 */
export const taskListMachine = taskListSetup.createMachine({
  id: 'taskList',
  context: ({input}) => ({
    items: [],
    total: 0,
    requests: [],
    keys: {},
    gone: [],
    favourites: noMarks,
    removing: [],
    removed: [],
    hasOlder: false,
    isLost: false,
    isPolling: false,
    watched: [],
    ...input,
  }),
  type: 'parallel',
  on: {
    'favourite.set': {actions: [{type: 'setFavourite', params: ({event}) => event}]},
    'favourites.merged': {actions: [{type: 'mergeFavourites', params: ({event}) => event}]},
    'task.select': {actions: [{type: 'select', params: ({event}) => event}]},
    'task.submit': [
      {
        guard: {type: 'isRepeated', params: ({event}) => event},
        actions: [{type: 'repeat', params: ({event}) => event}],
      },
      {
        guard: {type: 'isNewKey', params: ({event}) => event},
        actions: [{type: 'send', params: ({event}) => event}, 'sync'],
      },
    ],
    'submission.retry': {
      guard: {type: 'isPending', params: ({event}) => event},
      actions: [{type: 'passToRequest', params: ({event: {type, key}}) => ({key, event: {type}})}],
    },
    'submission.discard': {
      guard: {type: 'isPending', params: ({event}) => event},
      actions: [{type: 'passToRequest', params: ({event: {type, key}}) => ({key, event: {type}})}],
    },
    'submission.changed': {actions: ['renewSnapshot', 'sync']},
    'submission.lost': {
      guard: {type: 'isPending', params: ({event}) => event},
      actions: ['renewSnapshot', {type: 'offer', params: ({event}) => event}, 'sync', 'readAgain'],
    },
    'submission.joined': {actions: [{type: 'join', params: ({event}) => event}, 'sync']},
    'submission.waiting': {
      actions: [{type: 'tell', params: ({context}) => ({type: 'credits.missed' as const, tool: context.ref.tool})}],
    },
    'submission.ended': {actions: [{type: 'dropRequest', params: ({event}) => event}, 'sync']},
    'task.claimed': [
      {
        guard: {type: 'mayJoin', params: ({event}) => event},
        actions: [{type: 'join', params: ({event}) => event}, {type: 'grant', params: ({event}) => event}, 'sync'],
      },
      // another request became it: this one looks among the rest
      {
        guard: {type: 'isPending', params: ({event}) => event},
        actions: [{type: 'offer', params: ({event}) => event}],
      },
    ],
    'tasks.named': {
      actions: [{type: 'take', params: ({context, event}) => ({records: newlyNamed(context, event.tasks)})}, 'sync'],
    },
    'tasks.polled': {
      // an answer is contact, whoever said that there is none: another tab, or a poller that broke
      actions: [{type: 'take', params: ({event}) => event}, {type: 'storeLost', params: {isLost: false}}, 'sync'],
    },
    'tasks.gone': {
      actions: [
        {type: 'storeGone', params: ({event}) => event},
        {type: 'tellGone', params: ({event}) => event},
        'sync',
      ],
    },
    'contact.lost': {actions: [{type: 'storeLost', params: {isLost: true}}, 'sync']},
    'contact.restored': {actions: [{type: 'storeLost', params: {isLost: false}}, 'sync']},
    'peer.polled': {
      actions: [
        {type: 'take', params: ({event}) => event},
        {type: 'storeGone', params: ({event}) => ({ids: event.gone})},
        {type: 'storeLost', params: ({event}) => event},
        // the poller hears what the other tab looks after before it hears of new tasks
        {type: 'passOn', params: ({event}) => ({event})},
        'sync',
      ],
    },
    'task.remove': {
      guard: {type: 'isListed', params: ({event}) => event},
      actions: [{type: 'remove', params: ({event}) => event}, 'sync'],
    },
    'task.restore': {
      guard: {type: 'isRemoving', params: ({event}) => event},
      actions: [{type: 'undoRemoval', params: ({event}) => event}],
    },
    'removal.undone': {actions: [{type: 'showAgain', params: ({event}) => event}, 'sync']},
    'removal.done': {actions: [{type: 'forget', params: ({event}) => event}, 'sync']},
    'removal.failed': {
      actions: [
        {type: 'showAgain', params: ({event}) => event},
        {
          type: 'tell',
          params: ({context, event: {key, failure}}) => ({
            type: 'task.removeFailed' as const,
            tool: context.ref.tool,
            id: key,
            failure,
          }),
        },
        'sync',
      ],
    },
    'credits.added': {actions: [{type: 'passToRequests', params: ({event}) => ({event})}]},
    'page.hidden': {
      actions: [
        {type: 'storeHidden', params: {isHidden: true}},
        {type: 'passOn', params: ({event}) => ({event})},
      ],
    },
    'page.shown': {
      actions: [
        {type: 'storeHidden', params: {isHidden: false}},
        {type: 'passOn', params: ({event}) => ({event})},
        {type: 'passToRequests', params: {event: {type: 'credits.look'}}},
      ],
    },
    'page.leaving': {actions: ['flushRemovals']},
    'connection.lost': {
      actions: [
        {type: 'storeOnline', params: {isOnline: false}},
        {type: 'passOn', params: ({event}) => ({event})},
        {type: 'passToRequests', params: ({event}) => ({event})},
      ],
    },
    'xstate.error.actor.*': {actions: [{type: 'replaceChild', params: ({event}) => event}, 'sync']},
  },
  states: {surroundings, cache, page, older, days, finding, favourites, poll, peers},
})

export type TaskListActor = ActorRefFrom<typeof taskListMachine>
export type TaskListSnapshot = SnapshotFrom<typeof taskListMachine>
