import {conversationSetup} from './conversation.setup.ts'

const lossState = '#conversation.reconciling.lost'

/**
 * The pauses between looks for an answer without contact: until the network is back, else for a while, five times.
 * @param next state that looks for the answer
 * @param after the pause of the state `waiting`, which leads to `next`
 */
export const pausing = <const Next extends string, const After>(next: Next, after: After) => ({
  deciding: conversationSetup.createStateConfig({
    always: [
      {guard: 'isOffline', target: 'offline'},
      {guard: 'isExhausted', target: lossState},
      {target: 'waiting', actions: ['countReconnect']},
    ],
  }),
  waiting: {after, on: {'connection.restored': {target: next, actions: ['noteNetwork']}}} as const,
  offline: conversationSetup.createStateConfig({
    on: {'connection.restored': {target: next, actions: ['noteNetwork']}},
    after: {offlineDeadline: {target: lossState}},
  }),
})
