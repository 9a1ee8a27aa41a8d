import {EMPTY, throwError, type Observable} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, SimulatedClock, type SnapshotFrom} from 'xstate'
import {noToken} from '#domain/failure.ts'
import type {DeletionsSettled} from '#machines/message-changes/message-changes.types.ts'
import {pendingDeletionsMachine} from '#machines/pending-deletions/pending-deletions.machine.ts'
import type {EventFixtures} from './graph.ts'
import {settledBy} from './pending-deletions-fixture.ts'
import {describeRules} from './rules.ts'

const events = {
  'deletions.settled': [{type: 'deletions.settled'}, {type: 'deletions.settled', failure: noToken}],
} satisfies EventFixtures<DeletionsSettled>
type State = SnapshotFrom<typeof pendingDeletionsMachine>
const countLeft = ({context}: State) => context.remaining.length

describe('deletions before a copy', () => {
  const {coverage, edges, states} = describeRules(pendingDeletionsMachine, {
    input: {conversations: ['foo', 'bar', 'baz']},
    inputs: [{conversations: []}],
    // a deadline leads out
    user: [],
    events: Object.values(events).flat(),
    outputs: {requestDeletions: [undefined]},
    errors: [noToken],
    key: ({context: {remaining, failure}}) => [remaining, failure?.code],
  })

  test('every transition is taken', () => expect(coverage.missing(pendingDeletionsMachine)).toEqual([]))

  test('each conversation is asked once, in order, and none after a failure', () => {
    const onward = edges.filter(({nextState}) => nextState.matches('asking'))
    expect(onward.length).toBeGreaterThan(0)
    expect(onward.filter(({state, nextState}) => countLeft(nextState) !== countLeft(state) - 1)).toEqual([])
    expect(onward.filter(({nextState}) => nextState.context.failure !== undefined)).toEqual([])
  })

  test('only the word of the last conversation makes it done', () => {
    const ends = edges.filter(({state, nextState}) => state.matches('asking') && nextState.matches('done'))
    expect(ends.map(({state, event}) => [countLeft(state), event])).toEqual([[1, {type: 'deletions.settled'}]])
  })

  test('it says why exactly where it failed', () => {
    expect(states.filter((state) => state.matches('failed') !== (state.output?.failure !== undefined))).toEqual([])
  })
})

function run(conversations: readonly string[], logic = settledBy('always done').logic) {
  const clock = new SimulatedClock()
  const actor = createActor(logic, {clock, input: {conversations}}).start()
  return {actor, clock}
}

test('many conversations that have nothing deleted are passed at once', () => {
  const {asked, logic} = settledBy('always done')
  const conversations = Array.from({length: 2_000}, (_, index) => `foo-${index}`)
  const {actor} = run(conversations, logic)
  expect([actor.getSnapshot().output, asked]).toEqual([{failure: undefined}, conversations])
})

test('the first failure ends it', () => {
  const {asked, logic} = settledBy([{type: 'deletions.settled'}, {type: 'deletions.settled', failure: noToken}])
  const {actor} = run(['foo', 'bar', 'baz'], logic)
  expect([actor.getSnapshot().output, asked]).toEqual([{failure: noToken}, ['foo', 'bar']])
})

const answeredBy = (answer: Observable<never>) =>
  pendingDeletionsMachine.provide({
    actors: {requestDeletions: fromEventObservable<DeletionsSettled, {conversation: string}>(() => answer)},
  })

test.each([
  ['end', EMPTY, {code: 'unknown', detail: 'The changes of the conversation have ended'}],
  ['cannot be asked', throwError(() => noToken), noToken],
])('changes that %s fail it', (_name, answer, failure) => {
  expect(run(['foo'], answeredBy(answer)).actor.getSnapshot().output).toEqual({failure})
})

test('it waits a minute for each conversation', () => {
  const {asked, logic} = settledBy([{type: 'deletions.settled'}])
  const {actor, clock} = run(['foo', 'bar'], logic)
  clock.increment(59_999)
  expect([actor.getSnapshot().value, asked]).toEqual(['asking', ['foo', 'bar']])
  clock.increment(1)
  expect(actor.getSnapshot().output).toEqual({
    failure: {code: 'timeout', lost: true, detail: 'The server did not answer in time.'},
  })
})
