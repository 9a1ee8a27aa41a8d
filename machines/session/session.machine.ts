import {raise, stopChild, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {chatServiceId} from '#contract/chat.ts'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {supervised} from '#machines/lib/supervision.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {sessionSetup} from './session.setup.ts'
import type {PassedEvent, SessionChild, ShownFact, StoredSession} from './session.types.ts'

const nothing: StoredSession = {conversations: [], tools: []}

const {broken, down, onError, afterCalm} = supervised<SessionChild>()

/** A chart that does not come in time is as good as broken. */
const overdueLoad = (child: SessionChild) =>
  ({
    actions: [
      {type: 'countCrash', params: {child, ...timeout}},
      {type: 'logCrash', params: {child, ...timeout}},
    ],
  }) as const

const showFact = {actions: [{type: 'showTaskFact', params: ({event}: {event: ShownFact}) => event}]} as const

const pass = (params: PassedEvent) => ({type: 'pass', params}) as const
const shareApplication = pass({to: 'tasks', event: {type: 'applications.changed'}})
const refreshBalance = pass({to: 'provisioning/chat', event: {type: 'applications.refresh'}})

/**
 * Everything of one signed-in user (docs/architecture.md §2): exists only while `auth` is signed in, and all below
 * it ends with it. First reads what this browser kept for the user, then runs the tools' provisioning and the
 * conversations, carries facts between them, and starts a broken one again.
 */
export const sessionMachine = sessionSetup.createMachine({
  id: 'session',
  context: ({input}) => ({...input, stored: nothing, tools: [], queue: [], crashes: {}}),
  invoke: environmentInvoke,
  on: {
    'tool.open': {actions: [{type: 'queueForTasks', params: ({event}) => ({tools: [event.tool], event})}, 'passQueue']},
    'task.submit': {
      actions: [{type: 'queueForTasks', params: ({event}) => ({tools: [event.intent.tool], event})}, 'passQueue'],
    },
    'player.use': {actions: [{type: 'queueForPlayer', params: ({event}) => event}, 'passQueue']},
    'credits.bought': {actions: [{type: 'queueBought', params: ({event}) => ({event})}, 'passQueue']},
    'child.started': {actions: ['passQueue']},
    'part.use': {actions: [{type: 'startPart', params: ({event}) => event}]},
    'xstate.done.actor.*': {actions: [stopChild(({event}) => event.actorId)]},
    'xstate.error.actor.*': {
      actions: [{type: 'logCrash', params: ({event: {actorId, error}}) => ({child: actorId, error})}],
    },
  },
  initial: 'restoring',
  states: {
    restoring: {
      invoke: {
        id: 'readStored',
        src: 'readStored',
        input: ({context: {user}}) => ({userId: user.id}),
        onDone: {target: 'active', actions: [{type: 'storeStored', params: ({event}) => event}]},
        // storage is a cache: without it the user starts from what the server has
        onError: {target: 'active', actions: [{type: 'logUnread', params: ({event}) => event}]},
      },
      after: {readDeadline: {target: 'active', actions: [{type: 'logUnread', params: timeout}]}},
    },
    active: {
      type: 'parallel',
      tags: ['active'],
      on: {
        // raised, not handled by a region itself: a region's own transition would replace these
        'provision.ready': {
          actions: [pass({to: 'conversations', event: {type: 'credential.ready'}}), raise({type: 'tasks.seek'})],
        },
        'provision.missing': {
          actions: [pass({to: 'conversations', event: {type: 'credential.missing'}}), raise({type: 'tasks.seek'})],
        },
        'token.renewed': {
          actions: [
            pass({to: 'provisioning/chat', event: {type: 'token.renewed'}}),
            pass({to: 'tasks', event: {type: 'token.renewed'}}),
            raise({type: 'tasks.seek'}),
          ],
        },
        'connection.restored': {actions: [raise({type: 'tasks.seek'})]},
        'provision.serviceRead': {
          actions: [
            {
              type: 'pass',
              params: ({event: {capabilities}}) => ({
                to: 'conversations',
                event: {type: 'service.changed', capabilities},
              }),
            },
          ],
        },
        'application.applied': {
          actions: [{type: 'showApplied', params: {isNew: true}}, refreshBalance, shareApplication],
        },
        'application.present': {
          actions: [{type: 'showApplied', params: {isNew: false}}, refreshBalance, shareApplication],
        },
        'credits.added': {
          actions: [
            {type: 'pass', params: ({event}) => ({to: 'conversations', event})},
            // the tools look for themselves: each goes on once its own calls are paid
            shareApplication,
          ],
        },
        'credits.listed': {actions: [{type: 'pass', params: ({event}) => ({to: 'conversations', event})}]},
        'balance.check': {actions: [refreshBalance]},
        'task.settled': showFact,
        'task.gone': showFact,
        'task.unfound': showFact,
        'task.removed': showFact,
        'task.removeFailed': showFact,
        'tool.unopened': showFact,
        'conversation.settled': {actions: [refreshBalance]},
        'list.undoable': {actions: [{type: 'showUndoable', params: ({event}) => event}]},
        'list.failed': {actions: [{type: 'showListFailure', params: ({event}) => event}]},
      },
      states: {
        provisioning: {
          initial: 'running',
          states: {
            running: {
              entry: [raise({type: 'child.started'})],
              invoke: {
                id: 'provisioning/chat',
                systemId: 'provisioning/chat',
                src: 'provisioning',
                input: ({context: {user, host, stored, environment}, self}) => ({
                  parentRef: self,
                  environment,
                  serviceId: chatServiceId,
                  userId: user.id,
                  host,
                  restored: stored.provision,
                }),
                onError: onError('provisioning/chat'),
              },
              after: afterCalm('provisioning/chat'),
            },
            broken: broken('provisioning/chat'),
            down: down('provisioning/chat'),
          },
        },
        conversations: {
          initial: 'running',
          states: {
            running: {
              invoke: {
                id: 'conversations',
                systemId: 'conversations',
                src: 'conversations',
                input: ({context: {user, stored, environment}, self}) => ({
                  userId: user.id,
                  environment,
                  parentRef: self,
                  restored: stored.conversations,
                  unconfirmed: stored.unconfirmed,
                  unread: stored.unread,
                }),
                onError: onError('conversations'),
              },
              after: afterCalm('conversations'),
            },
            broken: broken('conversations'),
            down: down('conversations'),
          },
        },
        tasks: {
          initial: 'dormant',
          states: {
            dormant: {
              // none has something on its way either: no byte of the media tools is loaded
              always: {guard: 'hasTools', target: 'running'},
            },
            running: {
              initial: 'loading',
              after: afterCalm('tasks'),
              states: {
                loading: {
                  invoke: {
                    id: 'loadTasks',
                    src: 'loadMedia',
                    onDone: {target: 'working'},
                    onError: {...onError('tasks'), target: '#session.active.tasks.broken'},
                  },
                  after: {loadDeadline: {...overdueLoad('tasks'), target: '#session.active.tasks.broken'}},
                },
                working: {
                  entry: [raise({type: 'child.started'})],
                  invoke: {
                    id: 'tasks',
                    systemId: 'tasks',
                    src: 'tasks',
                    input: ({context: {user, host, tools, environment}, self}) => ({
                      session: self,
                      userId: user.id,
                      host,
                      tools,
                      environment,
                    }),
                    onError: {...onError('tasks'), target: '#session.active.tasks.broken'},
                  },
                },
              },
            },
            broken: broken('tasks'),
            down: down('tasks'),
          },
        },
        elsewhere: {
          // or tasks that this browser forgot: the tasks take them up
          initial: 'waiting',
          states: {
            waiting: {
              after: {chatFirst: {target: 'asking'}},
              on: {'tasks.seek': {target: 'asking'}},
            },
            asking: {
              invoke: {
                id: 'findRunning',
                src: 'findRunning',
                onDone: {
                  target: 'fresh',
                  actions: [
                    {
                      type: 'queueForTasks',
                      params: ({event: {output}}) => ({
                        tools: output.map(({tool}) => tool),
                        event: {type: 'tasks.found', tools: output} as const,
                      }),
                    },
                    'passQueue',
                  ],
                },
                onError: {target: 'failed'},
              },
              after: {loadDeadline: {target: 'failed'}},
              // a new token: the question went out with the old one
              on: {'tasks.seek': {target: 'asking', reenter: true}},
            },
            fresh: {after: {freshness: {target: 'old'}}},
            old: {on: {'page.shown': {target: 'asking'}}},
            failed: {on: {'page.shown': {target: 'asking'}, 'tasks.seek': {target: 'asking'}}},
          },
        },
        player: {
          initial: 'dormant',
          states: {
            dormant: {
              // none is kept from the last visit either: no byte of the player is loaded
              always: {guard: 'hasSongs', target: 'running'},
            },
            running: {
              initial: 'loading',
              after: afterCalm('player'),
              states: {
                loading: {
                  invoke: {
                    id: 'loadPlayer',
                    src: 'loadPlayer',
                    onDone: {target: 'working'},
                    onError: {...onError('player'), target: '#session.active.player.broken'},
                  },
                  after: {loadDeadline: {...overdueLoad('player'), target: '#session.active.player.broken'}},
                },
                working: {
                  entry: [raise({type: 'child.started'})],
                  invoke: {
                    id: 'player',
                    systemId: 'player',
                    src: 'player',
                    input: ({context: {stored}}) => ({volume: stored.volume, kept: stored.songs}),
                    onError: {...onError('player'), target: '#session.active.player.broken'},
                  },
                },
              },
            },
            broken: broken('player'),
            down: down('player'),
          },
        },
      },
    },
  },
})

export type SessionActor = ActorRefFrom<typeof sessionMachine>
export type SessionSnapshot = SnapshotFrom<typeof sessionMachine>
