import {describe, expect, test} from 'vitest'
import {createActor, SimulatedClock} from 'xstate'
import {loginFrameMachine, type LoginFrameEvent} from '#machines/login-frame/login-frame.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'frame.loaded': [{type: 'frame.loaded'}],
  'frame.reload': [{type: 'frame.reload'}],
} satisfies EventFixtures<LoginFrameEvent>

describe('the embedded login page', () => {
  const {coverage} = describeRules(loginFrameMachine, {
    input: undefined,
    user: ['frame.reload'],
    events: Object.values(events).flat(),
    key: ({value}) => value,
  })
  test('every transition is taken', () => expect(coverage.missing(loginFrameMachine)).toEqual([]))
})

test('each load has ten seconds of its own, and a page that came is not slow', () => {
  const clock = new SimulatedClock()
  const actor = createActor(loginFrameMachine, {clock}).start()
  clock.increment(9_999)
  actor.send({type: 'frame.reload'})
  clock.increment(9_999)
  expect(actor.getSnapshot().value).toBe('loading')
  clock.increment(1)
  expect(actor.getSnapshot().value).toBe('slow')
  actor.send({type: 'frame.loaded'})
  clock.increment(10_000)
  expect([actor.getSnapshot().value, actor.getSnapshot().context.attempt]).toEqual(['loaded', 1])
})
