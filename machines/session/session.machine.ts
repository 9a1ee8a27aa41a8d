import {assign, enqueueActions, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {chatServiceId} from '#contract/chat.ts'
import type {ChatCapability} from '#contract/management.ts'
import type {Failure} from '#domain/failure.ts'
import {
  conversationListMachine,
  type ConversationListActor,
} from '#machines/conversation-list/conversation-list.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {countCrash, forgive, isBeyondRepair, restartDelay, supervised, supervision} from '#machines/lib/supervision.ts'
import {provisioningMachine, type ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {SessionChild, SessionContext, SessionEvent, SessionInput, StoredSession} from './session.types.ts'

const nothing: StoredSession = {provisions: {}, conversations: []}

const sessionSetup = setup({
  types: {input: {} as SessionInput, context: {} as SessionContext, events: {} as SessionEvent},
  actors: {
    /** Reads what this browser kept for the person, validated. */
    readStored: promisePort<StoredSession, {userId: string}>('readStored'),
    provisioning: provisioningMachine,
    conversations: conversationListMachine,
  },
  delays: {
    readDeadline: 3_000,
    calm: supervision.calm,
    restartDelay: ({context}) => restartDelay(context.crashes),
  },
  guards: {
    isBroken: ({context}, {child}: {child: SessionChild}) => isBeyondRepair(context.crashes, child),
    isFor: (_, {child, asked}: {child: SessionChild; asked: SessionChild}) => child === asked,
  },
  actions: {
    storeStored: assign((_, {output}: {output: StoredSession}) => ({stored: output})),
    countCrash: assign(({context}, {child, error}: {child: SessionChild; error: unknown}) => ({
      crashes: countCrash(context.crashes, child, error),
    })),
    forgive: assign(({context}, {child}: {child: SessionChild}) => ({crashes: forgive(context.crashes, child)})),
    shareCapabilities: enqueueActions(({enqueue, system}, {capabilities}: {capabilities: ChatCapability[]}) => {
      const list = findActor<ConversationListActor>(system, 'conversations')
      if (list !== undefined) enqueue.sendTo(list, {type: 'service.changed', capabilities})
    }),
    shareCredential: enqueueActions(({enqueue, system}, {isReady}: {isReady: boolean}) => {
      const list = findActor<ConversationListActor>(system, 'conversations')
      if (list !== undefined) enqueue.sendTo(list, {type: isReady ? 'credential.ready' : 'credential.missing'})
    }),
    refreshBalance: enqueueActions(({enqueue, system}) => {
      const provisioning = findActor<ProvisioningActor>(system, 'provisioning/chat')
      if (provisioning !== undefined) enqueue.sendTo(provisioning, {type: 'applications.refresh'})
    }),
    /** Port: a part broke. Written to the log, never swallowed. */
    logCrash: (_, _crash: {child: SessionChild; error: unknown}) => {},
    /** Port: the general application stands, new or from before. */
    showApplied: (_, _applied: {isNew: boolean}) => {},
    /** Port: a deleted conversation can be taken back for a while. */
    showRemoved: (_, _removed: {key: string; title: string | undefined}) => {},
    /** Port: a rename or a deletion was refused. */
    showListFailure: (_, _failed: {kind: 'rename' | 'remove'; failure: Failure}) => {},
  },
})

const {broken, down, onError, afterCalm} = supervised<SessionChild>()

/**
 * Everything of one signed-in person (docs/architecture.md §2): exists only while `auth` is signed in, and all below
 * it ends with it. First reads what this browser kept for the person, then runs the tools' provisioning and the
 * conversations, carries facts between them, and starts a broken one again.
 */
export const sessionMachine = sessionSetup.createMachine({
  id: 'session',
  context: ({input}) => ({...input, stored: nothing, crashes: {}}),
  initial: 'restoring',
  states: {
    restoring: {
      invoke: {
        id: 'readStored',
        src: 'readStored',
        input: ({context: {user}}) => ({userId: user.id}),
        onDone: {target: 'active', actions: [{type: 'storeStored', params: ({event}) => event}]},
        // storage is a cache: without it the person starts from what the server has
        onError: {target: 'active'},
      },
      after: {readDeadline: {target: 'active'}},
    },
    active: {
      type: 'parallel',
      tags: ['active'],
      on: {
        'provision.ready': {actions: [{type: 'shareCredential', params: {isReady: true}}]},
        'provision.missing': {actions: [{type: 'shareCredential', params: {isReady: false}}]},
        'provision.serviceRead': {actions: [{type: 'shareCapabilities', params: ({event}) => event}]},
        'application.applied': {actions: [{type: 'showApplied', params: {isNew: true}}]},
        'application.present': {actions: [{type: 'showApplied', params: {isNew: false}}]},
        'conversation.settled': {actions: ['refreshBalance']},
        'conversation.removed': {actions: [{type: 'showRemoved', params: ({event}) => event}]},
        'list.failed': {actions: [{type: 'showListFailure', params: ({event}) => event}]},
      },
      states: {
        provisioning: {
          initial: 'running',
          states: {
            running: {
              invoke: {
                id: 'provisioning/chat',
                systemId: 'provisioning/chat',
                src: 'provisioning',
                input: ({context: {user, host, stored}}) => ({
                  serviceId: chatServiceId,
                  userId: user.id,
                  host,
                  restored: stored.provisions.chat,
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
                input: ({context: {user, stored}}) => ({userId: user.id, restored: stored.conversations}),
                onError: onError('conversations'),
              },
              after: afterCalm('conversations'),
            },
            broken: broken('conversations'),
            down: down('conversations'),
          },
        },
      },
    },
  },
})

export type SessionActor = ActorRefFrom<typeof sessionMachine>
export type SessionSnapshot = SnapshotFrom<typeof sessionMachine>
