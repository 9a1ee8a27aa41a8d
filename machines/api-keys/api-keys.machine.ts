import {assign, raise, setup, type SnapshotFrom} from 'xstate'
import type {Application} from '#contract/management.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {
  environmentChanges,
  environmentInvoke,
  type EnvironmentActor,
} from '#machines/environment/environment.machine.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** `token`: the key itself. The inspector hides fields of this name. */
type KeyToken = {id: string; token: string}
type ApiKeysInput = {applicationId: string; environment: EnvironmentActor}
export type ApiKeysEvent =
  | {type: 'application.load'}
  /** Opens the form of a new key. */
  | {type: 'key.new'}
  | {type: 'key.create'; name: string}
  /** Opens the question whether to revoke a key. */
  | {type: 'key.revoke'; id: string}
  | {type: 'revoke.confirm'}
  | {type: 'dialog.close'}
  | {type: 'key.reveal'; id: string}
  | {type: 'key.hide'}
  /** A new key came with its token. */
  | ({type: 'token.received'} & KeyToken)
  | {type: 'connection.restored'}
  | {type: 'page.leaving'}

type Context = ApiKeysInput & {
  application?: Application
  /** Name of the key that is being made. */
  name?: string
  created?: string | undefined
  revoking?: string
  /** Revoked here: not shown any more, whatever the list still holds. */
  revoked: readonly string[]
  /** Why the key of the open dialog could not be made or revoked. */
  failure?: Failure | undefined
  /** The key that is shown, or is being read to be shown. */
  reading?: string | undefined
  revealed?: KeyToken | undefined
  revealFailure?: Failure | undefined
}

/**
 * The API keys of one application, beside their list (`resource-list`): makes one, shows one, revokes one. Owned by
 * the page, ends with it and forgets what it showed. One key at most is shown, for a minute.
 */
export const apiKeysMachine = setup({
  types: {input: {} as ApiKeysInput, context: {} as Context, events: {} as ApiKeysEvent},
  actors: {
    environmentChanges,
    readApplication: promisePort<Application, {applicationId: string}>('readApplication'),
    createKey: promisePort<KeyToken, {applicationId: string; name: string}>('createKey'),
    revokeKey: promisePort<void, {id: string}>('revokeKey'),
    readToken: promisePort<string, {id: string}>('readToken'),
  },
  delays: {callDeadline: 20_000, shownTime: 60_000},
  guards: {
    isGone: (_, {error}: {error: unknown}) => toFailure(error).status === 404,
  },
  actions: {
    storeApplication: assign((_, {output}: {output: Application}) => ({application: output, failure: undefined})),
    storeName: assign((_, {name}: {name: string}) => ({name, failure: undefined})),
    storeCreated: assign((_, {output: {id}}: {output: KeyToken}) => ({created: id})),
    forgetCreated: assign({created: undefined}),
    storeRevoking: assign((_, {id}: {id: string}) => ({revoking: id, failure: undefined})),
    storeRevoked: assign(({context: {revoked, revoking}}) => ({
      revoked: revoking === undefined ? revoked : [...revoked.filter((id) => id !== revoking), revoking],
    })),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    clearFailure: assign({failure: undefined}),
    storeReading: assign((_, {id}: {id: string}) => ({reading: id, revealFailure: undefined})),
    storeRead: assign(({context: {reading}}, {output}: {output: string}) => ({
      revealed: reading === undefined ? undefined : {id: reading, token: output},
    })),
    storeToken: assign((_, {id, token}: KeyToken) => ({reading: id, revealed: {id, token}, revealFailure: undefined})),
    forgetToken: assign({revealed: undefined}),
    storeRevealFailure: assign((_, {error}: {error: unknown}) => ({revealFailure: toFailure(error)})),
    stopReading: assign({reading: undefined, revealFailure: undefined}),
    /** Port: reads the list of keys again. */
    refreshList: () => unfilledAction('refreshList'),
  },
}).createMachine({
  id: 'apiKeys',
  context: ({input}) => ({...input, revoked: []}),
  invoke: environmentInvoke,
  initial: 'loading',
  states: {
    loading: {
      description: 'Whether the application is there, and its name: an application of another user is not there.',
      invoke: {
        id: 'readApplication',
        src: 'readApplication',
        input: ({context: {applicationId}}) => ({applicationId}),
        onDone: {target: 'open', actions: [{type: 'storeApplication', params: ({event}) => event}]},
        onError: {target: 'unavailable', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'unavailable', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    unavailable: {
      on: {
        'application.load': {target: 'loading', actions: ['refreshList']},
        'connection.restored': {target: 'loading'},
      },
    },
    open: {
      type: 'parallel',
      states: {
        dialog: {
          initial: 'closed',
          states: {
            closed: {
              on: {
                'key.new': {target: 'creating'},
                'key.revoke': {
                  target: 'revoking',
                  actions: [{type: 'storeRevoking', params: ({event}) => event}],
                },
              },
            },
            creating: {
              initial: 'naming',
              exit: ['clearFailure', 'forgetCreated', raise({type: 'key.hide'})],
              states: {
                naming: {
                  on: {
                    'key.create': {target: 'sending', actions: [{type: 'storeName', params: ({event}) => event}]},
                    'dialog.close': {target: '#apiKeys.open.dialog.closed'},
                  },
                },
                sending: {
                  description: 'A key on its way cannot be taken back; a second press does nothing.',
                  invoke: {
                    id: 'createKey',
                    src: 'createKey',
                    input: ({context: {applicationId, name = ''}}) => ({applicationId, name}),
                    onDone: {
                      target: 'created',
                      actions: [
                        {type: 'storeCreated', params: ({event}) => event},
                        raise(({event}) => ({type: 'token.received', ...event.output})),
                        'refreshList',
                      ],
                    },
                    // a key may exist though its answer was lost: the list is read
                    onError: {
                      target: 'naming',
                      actions: [{type: 'storeFailure', params: ({event}) => event}, 'refreshList'],
                    },
                  },
                  after: {
                    callDeadline: {
                      target: 'naming',
                      actions: [{type: 'storeFailure', params: timeout}, 'refreshList'],
                    },
                  },
                },
                created: {on: {'dialog.close': {target: '#apiKeys.open.dialog.closed'}}},
              },
            },
            revoking: {
              initial: 'confirming',
              exit: ['clearFailure'],
              states: {
                confirming: {
                  on: {
                    'revoke.confirm': {target: 'sending', actions: ['clearFailure']},
                    'dialog.close': {target: '#apiKeys.open.dialog.closed'},
                  },
                },
                sending: {
                  invoke: {
                    id: 'revokeKey',
                    src: 'revokeKey',
                    // as: a key is named on the way here
                    input: ({context: {revoking}}) => ({id: revoking as string}),
                    onDone: {
                      target: '#apiKeys.open.dialog.closed',
                      actions: ['storeRevoked', raise({type: 'key.hide'}), 'refreshList'],
                    },
                    onError: [
                      {
                        guard: {type: 'isGone', params: ({event}) => event},
                        target: '#apiKeys.open.dialog.closed',
                        actions: ['storeRevoked', raise({type: 'key.hide'}), 'refreshList'],
                      },
                      {target: 'confirming', actions: [{type: 'storeFailure', params: ({event}) => event}]},
                    ],
                  },
                  after: {callDeadline: {target: 'confirming', actions: [{type: 'storeFailure', params: timeout}]}},
                },
              },
            },
          },
        },
        token: {
          initial: 'hidden',
          on: {
            'key.reveal': {target: '.reading', actions: [{type: 'storeReading', params: ({event}) => event}]},
            'token.received': {target: '.shown', actions: [{type: 'storeToken', params: ({event}) => event}]},
            'key.hide': {target: '.hidden'},
            // a page that comes back from the browser's history shows no key
            'page.leaving': {target: '.hidden'},
          },
          states: {
            hidden: {entry: ['stopReading']},
            reading: {
              invoke: {
                id: 'readToken',
                src: 'readToken',
                // as: a key is named on the way here
                input: ({context: {reading}}) => ({id: reading as string}),
                onDone: {target: 'shown', actions: [{type: 'storeRead', params: ({event}) => event}]},
                // a key that is gone leaves the list
                onError: {
                  target: 'failed',
                  actions: [{type: 'storeRevealFailure', params: ({event}) => event}, 'refreshList'],
                },
              },
              after: {
                callDeadline: {target: 'failed', actions: [{type: 'storeRevealFailure', params: timeout}]},
              },
            },
            shown: {
              description: 'For a minute, then the key hides itself.',
              exit: ['forgetToken'],
              after: {shownTime: {target: 'hidden'}},
            },
            failed: {},
          },
        },
      },
    },
  },
})

export type ApiKeysSnapshot = SnapshotFrom<typeof apiKeysMachine>

/** How a key is shown: masked, or as the chart says of the one it reads. */
export const selectKeyState = (snapshot: ApiKeysSnapshot, id: string): 'hidden' | 'reading' | 'shown' | 'failed' => {
  if (snapshot.context.reading !== id) return 'hidden'
  if (snapshot.matches({open: {token: 'reading'}})) return 'reading'
  if (snapshot.matches({open: {token: 'shown'}})) return 'shown'
  return snapshot.matches({open: {token: 'failed'}}) ? 'failed' : 'hidden'
}
