import {describe, expect, test} from 'vitest'
import {createActor, SimulatedClock} from 'xstate'
import {framedImageMachine, type FramedImageEvent} from '#machines/framed-image/framed-image.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'image.asked': [{type: 'image.asked'}],
  'image.loaded': [{type: 'image.loaded', width: 800, height: 600}],
  'image.failed': [{type: 'image.failed'}],
  'image.retry': [{type: 'image.retry'}],
} satisfies EventFixtures<FramedImageEvent>

describe('an image in a frame', () => {
  const {coverage, states} = describeRules(framedImageMachine, {
    input: undefined,
    user: ['image.retry'],
    events: Object.values(events).flat(),
    key: ({value}) => value,
  })
  test('every transition is taken', () => expect(coverage.missing(framedImageMachine)).toEqual([]))
  test('only a shown image has a size', () =>
    expect(states.filter((state) => state.matches('shown') !== (state.context.size !== undefined))).toEqual([]))
})

function openImage() {
  const clock = new SimulatedClock()
  const actor = createActor(framedImageMachine, {clock}).start()
  return {clock, actor, state: () => actor.getSnapshot().value}
}

test('a frame that says nothing has failed after ten seconds, and a retry has ten of its own', () => {
  const {clock, actor, state} = openImage()
  clock.increment(9_999)
  expect(state()).toBe('opening')
  clock.increment(1)
  expect(state()).toBe('failed')
  actor.send({type: 'image.retry'})
  clock.increment(9_999)
  expect([state(), actor.getSnapshot().context.attempt]).toEqual(['opening', 1])
})

test('a host has a minute, and a report that comes before the frame has asked does not count', () => {
  const {clock, actor, state} = openImage()
  actor.send({type: 'image.loaded', width: 1, height: 1})
  expect(state()).toBe('opening')
  actor.send({type: 'image.asked'})
  clock.increment(59_999)
  expect(state()).toBe('loading')
  clock.increment(1)
  expect(state()).toBe('failed')
})

test('nothing counts that a frame says after its image', () => {
  const {actor} = openImage()
  actor.send({type: 'image.asked'})
  actor.send({type: 'image.loaded', width: 800, height: 600})
  actor.send({type: 'image.loaded', width: 1, height: 90_000})
  actor.send({type: 'image.failed'})
  const {status, value, context} = actor.getSnapshot()
  expect([status, value, context]).toEqual(['done', 'shown', {attempt: 0, size: {width: 800, height: 600}}])
})
