import {describe, expect, test} from 'vitest'
import {createActor, SimulatedClock} from 'xstate'
import {
  removedQuestionsMachine,
  type RemovedQuestionsEvent,
} from '#machines/removed-questions/removed-questions.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const removed = (key: string) => ({ask: {question: key, references: [], key}, at: 0})
const events = {
  'question.remove': [{type: 'question.remove', ...removed('a')}],
  'question.restore': [{type: 'question.restore'}],
  'offer.dismiss': [{type: 'offer.dismiss'}],
  'pointer.entered': [{type: 'pointer.entered'}],
  'pointer.left': [{type: 'pointer.left'}],
  'focus.entered': [{type: 'focus.entered'}],
  'focus.left': [{type: 'focus.left'}],
  'list.left': [{type: 'list.left'}],
} satisfies EventFixtures<RemovedQuestionsEvent>

describe('removedQuestions', () => {
  const {coverage, edges} = describeRules(removedQuestionsMachine, {
    input: undefined,
    events: Object.values(events).flat(),
    outputs: {},
    errors: [],
    limit: 5_000,
    key: ({context}) => [context.removed.length],
    stop: ({context}) => context.removed.length > 3,
  })

  test('every transition is taken', () => {
    expect(coverage.missing(removedQuestionsMachine)).toEqual([])
  })

  test('there is an offer as long as there is something to take back, and no longer', () => {
    const stale = edges.filter(({nextState}) => nextState.matches('offered') !== nextState.context.removed.length > 0)
    expect(stale).toEqual([])
  })
})

function start() {
  const clock = new SimulatedClock()
  const actor = createActor(removedQuestionsMachine, {clock}).start()
  const keys = () => actor.getSnapshot().context.removed.map(({ask}) => ask.key)
  return {clock, actor, keys}
}

test('the offer leaves 8 s after the last question was removed', () => {
  const {clock, actor, keys} = start()
  actor.send({type: 'question.remove', ...removed('a')})
  clock.increment(7_000)
  actor.send({type: 'question.remove', ...removed('b')})
  clock.increment(7_000)
  expect(keys()).toEqual(['b', 'a'])
  clock.increment(1_000)
  expect(keys()).toEqual([])
})

test.each(['pointer', 'focus'] as const)(
  'with the %s on it it stays, and has all its time again after that',
  (holder) => {
    const {clock, actor, keys} = start()
    actor.send({type: 'question.remove', ...removed('a')})
    actor.send({type: 'question.remove', ...removed('b')})
    actor.send({type: `${holder}.entered`})
    clock.increment(60_000)
    actor.send({type: 'question.restore'})
    expect(keys()).toEqual(['a'])
    actor.send({type: `${holder}.left`})
    clock.increment(7_999)
    expect(keys()).toEqual(['a'])
    clock.increment(1)
    expect(keys()).toEqual([])
  },
)

test.each([
  ['pointer', 'focus'],
  ['focus', 'pointer'],
] as const)('when the %s leaves it, the %s still holds it', (first, last) => {
  const {clock, actor, keys} = start()
  actor.send({type: 'question.remove', ...removed('a')})
  actor.send({type: 'pointer.entered'})
  actor.send({type: 'focus.entered'})
  actor.send({type: `${first}.left`})
  clock.increment(60_000)
  expect(keys()).toEqual(['a'])
  actor.send({type: `${last}.left`})
  clock.increment(8_000)
  expect(keys()).toEqual([])
})

test('a list that is left takes pointer and focus along, and the offer is over after all its time', () => {
  const {clock, actor, keys} = start()
  actor.send({type: 'question.remove', ...removed('a')})
  actor.send({type: 'pointer.entered'})
  actor.send({type: 'focus.entered'})
  actor.send({type: 'list.left'})
  clock.increment(7_999)
  expect(keys()).toEqual(['a'])
  clock.increment(1)
  expect([keys(), actor.getSnapshot().status]).toEqual([[], 'done'])
})
