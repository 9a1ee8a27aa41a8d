import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, SimulatedClock} from 'xstate'
import type {ElsewhereFact} from '#domain/lost-file.ts'
import {lostFileMachine} from '#machines/lost-file/lost-file.machine.ts'
import type {LostFileEvent} from '#machines/lost-file/lost-file.types.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import type {EventFixtures} from './graph.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'

const events = {
  'elsewhere.running': [{type: 'elsewhere.running'}],
  'elsewhere.uploaded': [{type: 'elsewhere.uploaded', url: 'https://foo.example/a.pdf'}],
  'elsewhere.gone': [{type: 'elsewhere.gone'}],
} satisfies EventFixtures<LostFileEvent>

describe('a file that is not in this page', () => {
  const {coverage} = describeRules(lostFileMachine, {
    input: {parentRef: nobody, id: 'a'},
    events: Object.values(events).flat(),
    endless: ['followElsewhere'],
  })

  test('every transition is taken', () => expect(coverage.missing(lostFileMachine)).toEqual([]))
})

function start() {
  const facts = new Subject<ElsewhereFact>()
  const clock = new SimulatedClock()
  const machine = lostFileMachine.provide({
    actors: {followElsewhere: fromEventObservable<ElsewhereFact, {id: string}>(() => facts)},
  })
  const actor = stopAfterTest(createActor(machine, {clock, input: {parentRef: nobody, id: 'a'}}).start())
  return {actor, facts, clock, state: () => actor.getSnapshot().value}
}

test('it is lost while no tab has it on its way, and may be tried again in that of before', () => {
  const {facts, state} = start()
  expect(state()).toBe('asking')
  facts.next({type: 'elsewhere.running'})
  expect(state()).toBe('elsewhere')
  facts.next({type: 'elsewhere.gone'})
  expect(state()).toBe('lost')
  facts.next({type: 'elsewhere.running'})
  expect(state()).toBe('elsewhere')
})

test('it is lost where the browser does not say how it stands', () => {
  const {clock, state} = start()
  clock.increment(2_000)
  expect(state()).toBe('lost')
})

test('it is lost where the browser says no more', () => {
  const {facts, state} = start()
  facts.next({type: 'elsewhere.running'})
  facts.error(new Error('foo'))
  expect(state()).toBe('lost')
})
