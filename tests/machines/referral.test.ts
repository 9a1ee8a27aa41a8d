import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {DistributionStatus} from '#contract/distribution.ts'
import {
  referralMachine,
  selectReferral,
  selectReferralFailure,
  type ReferralEvent,
  type ReferralFacts,
} from '#machines/referral/referral.machine.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const status: DistributionStatus = {id: 'foo', price: 20, reward: 2, percentage: 10}
const levels = [{id: 'one', level: 1, threshold: 0, percentage: 10}]
const input = {environment: startEnvironment()}
const events = {
  'referral.refresh': [{type: 'referral.refresh'}],
  'connection.restored': [{type: 'connection.restored'}],
  'page.shown': [{type: 'page.shown'}],
} satisfies EventFixtures<ReferralEvent>

describe('the standing in the referral programme', () => {
  const {coverage, edges} = describeRules(referralMachine, {
    input,
    user: ['referral.refresh'],
    events: Object.values(events).flat(),
    endless: ['environmentChanges'],
    outputs: {
      readReferral: [
        {status, levels, invitees: 1},
        {status: undefined, levels, invitees: 0},
      ],
      initializeStatus: [status],
    },
    key: ({context: {facts, failure}}) => [facts?.status?.id, facts?.invitees, failure?.code],
  })
  test('every transition is taken', () => expect(coverage.missing(referralMachine)).toEqual([]))
  test('success always has a status to show', () => {
    const bare = edges.filter(({nextState}) => nextState.matches('success') && selectReferral(nextState) === undefined)
    expect(bare).toEqual([])
  })
  test('what is shown stays while it is read again, except where the server forgot the status', () => {
    const blank = edges.filter(
      ({state, nextState}) =>
        selectReferral(state) !== undefined &&
        selectReferral(nextState) === undefined &&
        !nextState.matches('initializing'),
    )
    expect(blank).toEqual([])
  })
})

test('a user without a status gets one, and then sees it', async () => {
  const calls: string[] = []
  const actor = createActor(
    referralMachine.provide({
      actors: {
        readReferral: fromPromise<ReferralFacts, undefined>(async () => {
          calls.push('read')
          return {status: undefined, levels, invitees: 0}
        }),
        initializeStatus: fromPromise<DistributionStatus, undefined>(async () => {
          calls.push('initialize')
          return status
        }),
      },
    }),
    {input},
  ).start()
  const shown = await waitFor(actor, (snapshot) => snapshot.matches('success'))
  expect([calls, selectReferral(shown)]).toEqual([['read', 'initialize'], {status, levels, invitees: 0}])
})

test('a refused start says why and is made again', async () => {
  let count = 0
  const actor = createActor(
    referralMachine.provide({
      actors: {
        readReferral: fromPromise<ReferralFacts, undefined>(async () => {
          count += 1
          if (count === 1) throw Object.assign(new Error('foo'), {code: 'busy', detail: 'foo', status: 503})
          return {status, levels, invitees: 3}
        }),
      },
    }),
    {input},
  ).start()
  const failed = await waitFor(actor, (snapshot) => snapshot.matches('error'))
  expect([selectReferral(failed), selectReferralFailure(failed)?.code]).toEqual([undefined, 'busy'])
  actor.send({type: 'referral.refresh'})
  const shown = await waitFor(actor, (snapshot) => snapshot.matches('success'))
  expect([selectReferral(shown)?.invitees, selectReferralFailure(shown)]).toEqual([3, undefined])
})
