import {describe, expect, test} from 'vitest'
import {followUpClaimMachine} from '#machines/follow-up-claim/follow-up-claim.machine.ts'
import type {FollowUpClaimEvent} from '#machines/follow-up-claim/follow-up-claim.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'claim.request': [{type: 'claim.request'}],
  'claim.giveUp': [{type: 'claim.giveUp'}],
  'edit.begin': [{type: 'edit.begin'}],
  'edit.end': [{type: 'edit.end'}],
  'leader.won': [{type: 'leader.won'}],
  'leader.lost': [{type: 'leader.lost'}],
} satisfies EventFixtures<FollowUpClaimEvent>

describe('followUpClaim', () => {
  const {states, edges, coverage} = describeRules(followUpClaimMachine, {
    user: ['claim.request', 'edit.begin', 'edit.end'],
    input: {key: 'a'},
    events: Object.values(events).flat(),
    errors: [new Error('foo')],
    endless: ['standInQueue'],
    key: ({context: {editors}}) => editors,
    // a third editor is as the second
    stop: ({context: {editors}}) => editors > 2,
  })
  const isOver = (snapshot: (typeof states)[number]) => snapshot.status === 'done'

  test('every transition is taken', () => expect(coverage.missing(followUpClaimMachine)).toEqual([]))

  test('only the first tab of the queue claims the question', () => {
    const claiming = edges.filter(
      ({state, nextState}) =>
        !state.matches({working: {use: 'claimed'}}) && nextState.matches({working: {use: 'claimed'}}),
    )
    expect(claiming.length).toBeGreaterThan(0)
    expect(claiming.filter(({nextState}) => !nextState.matches({working: {position: 'first'}}))).toEqual([])
  })

  test('it leaves the queue neither while its text is edited nor while its claim counts, unless the queue breaks', () => {
    const leaving = edges.filter(
      ({state, event, nextState}) =>
        isOver(nextState) && !isOver(state) && !event.type.startsWith('xstate.error') && state.context.editors > 0,
    )
    expect(leaving).toEqual([])
    const unclaiming = edges.filter(
      ({state, nextState}) =>
        state.matches({working: {use: 'claimed'}}) && !nextState.matches({working: {use: 'claimed'}}),
    )
    expect(new Set(unclaiming.map(({event}) => event.type.replace(/\.followUpClaim.*/, '')))).toEqual(
      new Set(['claim.giveUp', 'xstate.after.claimLife', 'xstate.error.actor.standInQueue']),
    )
  })

  test('a claim that is given up leaves the tab where it stands for a moment, and is claimed again without a loss', () => {
    const givenUp = edges.filter(
      ({state, event}) => event.type === 'claim.giveUp' && state.matches({working: {use: 'claimed'}}),
    )
    expect(givenUp.length).toBeGreaterThan(0)
    for (const {state, nextState} of givenUp) {
      const use = state.context.editors > 0 ? 'edited' : 'free'
      expect(nextState.value).toEqual(expect.objectContaining({working: expect.objectContaining({use})}))
      const again = edges.filter(
        ({state: {value, context}, event}) =>
          event.type === 'claim.request' &&
          JSON.stringify([value, context]) === JSON.stringify([nextState.value, nextState.context]),
      )
      expect(again).toHaveLength(1)
      expect(again[0]?.nextState.matches({working: {use: 'claimed'}})).toBe(
        state.matches({working: {position: 'first'}}),
      )
    }
  })

  test('while an editor is open it is not free, and it is edited only then', () => {
    const wrong = states.filter(
      (state) =>
        (state.matches({working: {use: 'free'}}) && state.context.editors > 0) ||
        (state.matches({working: {use: 'edited'}}) && state.context.editors === 0),
    )
    expect(wrong).toEqual([])
  })

  test('each request is decided: claimed, refused, or still without an answer of the queue', () => {
    const requests = edges.filter(({event, state}) => event.type === 'claim.request' && !isOver(state))
    const undecided = requests.filter(
      ({state, nextState}) =>
        nextState.matches({working: {use: 'claiming'}}) && !state.matches({working: {position: 'asking'}}),
    )
    expect(requests.length).toBeGreaterThan(0)
    expect(undecided).toEqual([])
  })
})
