import {assign, setup, type SnapshotFrom} from 'xstate'
import type {DistributionLevel, DistributionStatus} from '#contract/distribution.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {
  environmentChanges,
  environmentInvoke,
  type EnvironmentActor,
} from '#machines/environment/environment.machine.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/** `status`: none before the user's first visit. `invitees`: how many joined. */
export type ReferralFacts = {
  status: DistributionStatus | undefined
  levels: readonly DistributionLevel[]
  invitees: number
}
type ReferralInput = {environment: EnvironmentActor}
export type ReferralEvent = {type: 'referral.refresh'} | {type: 'connection.restored'} | {type: 'page.shown'}
type Context = ReferralInput & {facts?: ReferralFacts; failure?: Failure | undefined}

/**
 * The user's standing in the referral programme (contract/screens §6). Owned by the page `/distribution`, ends with it.
 * A user without a status gets one before anything is shown. Shown facts stay while they are read again.
 */
export const referralMachine = setup({
  types: {
    input: {} as ReferralInput,
    context: {} as Context,
    events: {} as ReferralEvent,
    tags: {} as 'loading',
  },
  actors: {
    environmentChanges,
    readReferral: promisePort<ReferralFacts>('readReferral'),
    /** Makes the status; repeating it changes nothing. */
    initializeStatus: promisePort<DistributionStatus>('initializeStatus'),
  },
  delays: {callDeadline: 20_000},
  guards: {
    hasStatus: (_, {output}: {output: ReferralFacts}) => output.status !== undefined,
  },
  actions: {
    storeFacts: assign((_, {output}: {output: ReferralFacts}) => ({facts: output, failure: undefined})),
    storeStatus: assign(({context: {facts}}, {output}: {output: DistributionStatus}) => ({
      ...(facts && {facts: {...facts, status: output}}),
      failure: undefined,
    })),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
  },
}).createMachine({
  id: 'referral',
  context: ({input}) => input,
  invoke: environmentInvoke,
  initial: 'request',
  states: {
    request: {
      tags: ['loading'],
      invoke: {
        id: 'readReferral',
        src: 'readReferral',
        onDone: [
          {
            guard: {type: 'hasStatus', params: ({event}) => event},
            target: 'success',
            actions: [{type: 'storeFacts', params: ({event}) => event}],
          },
          {target: 'initializing', actions: [{type: 'storeFacts', params: ({event}) => event}]},
        ],
        onError: {target: 'error', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'error', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    initializing: {
      tags: ['loading'],
      invoke: {
        id: 'initializeStatus',
        src: 'initializeStatus',
        onDone: {target: 'success', actions: [{type: 'storeStatus', params: ({event}) => event}]},
        onError: {target: 'error', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'error', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    // a user who returns to the page may have earned rewards since
    success: {on: {'referral.refresh': {target: 'request'}, 'page.shown': {target: 'request'}}},
    error: {on: {'referral.refresh': {target: 'request'}, 'connection.restored': {target: 'request'}}},
  },
})

export type ReferralSnapshot = SnapshotFrom<typeof referralMachine>

/** Facts to show: those of a user with a status. */
export const selectReferral = ({context: {facts}}: ReferralSnapshot) =>
  facts?.status === undefined ? undefined : {...facts, status: facts.status}
/** Why nothing newer could be read; shown facts may stand beside it. */
export const selectReferralFailure = (snapshot: ReferralSnapshot) =>
  snapshot.matches('error') ? snapshot.context.failure : undefined
