import {setup, type SnapshotFrom} from 'xstate'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'

export type Permission = 'granted' | 'denied' | 'default'
export type BackgroundNoticesInput = {
  /** The browser's permission when the settings open. */
  permission: Permission
  /** The user had turned them on in this browser. */
  isWanted: boolean
}
export type BackgroundNoticesEvent = {type: 'notices.turnOn'} | {type: 'notices.turnOff'}

/**
 * The setting "notify me in the background". Only turning it on asks the browser for permission; a browser that refuses
 * is explained, and asked again by the next click. What the browser granted and the user turned off stays off. Owned by
 * the settings; ends with them.
 */
export const backgroundNoticesMachine = setup({
  types: {
    input: {} as BackgroundNoticesInput,
    context: {} as BackgroundNoticesInput,
    events: {} as BackgroundNoticesEvent,
  },
  actors: {
    /** Resolves with what the user answered to the browser. */
    askPermission: promisePort<Permission, undefined>('askPermission'),
  },
  // a permission prompt without an answer stays open in the browser
  delays: {patience: 120_000},
  guards: {
    isOn: ({context}) => context.isWanted && context.permission === 'granted',
    isDenied: ({context}) => context.isWanted && context.permission === 'denied',
    isGranted: (_, {output}: {output: Permission}) => output === 'granted',
    isRefused: (_, {output}: {output: Permission}) => output === 'denied',
  },
  actions: {
    /** Port: keeps whether the user wants them. */
    storeWish: (_, _wish: {isWanted: boolean}) => unfilledAction('storeWish'),
  },
}).createMachine({
  id: 'backgroundNotices',
  context: ({input}) => input,
  initial: 'deciding',
  states: {
    deciding: {always: [{guard: 'isOn', target: 'on'}, {guard: 'isDenied', target: 'denied'}, {target: 'off'}]},
    off: {on: {'notices.turnOn': {target: 'asking'}}},
    asking: {
      invoke: {
        id: 'askPermission',
        src: 'askPermission',
        onDone: [
          {
            guard: {type: 'isGranted', params: ({event}) => event},
            target: 'on',
            actions: [{type: 'storeWish', params: {isWanted: true}}],
          },
          {guard: {type: 'isRefused', params: ({event}) => event}, target: 'denied'},
          {target: 'off'},
        ],
        onError: {target: 'denied'},
      },
      after: {patience: {target: 'off'}},
      on: {'notices.turnOff': {target: 'off'}},
    },
    on: {
      on: {'notices.turnOff': {target: 'off', actions: [{type: 'storeWish', params: {isWanted: false}}]}},
    },
    denied: {
      on: {
        'notices.turnOn': {target: 'asking'},
        'notices.turnOff': {target: 'off', actions: [{type: 'storeWish', params: {isWanted: false}}]},
      },
    },
  },
})

export type BackgroundNoticesSnapshot = SnapshotFrom<typeof backgroundNoticesMachine>
