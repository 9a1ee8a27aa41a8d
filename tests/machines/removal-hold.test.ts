import {Observable, Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromCallback, fromEventObservable, SimulatedClock} from 'xstate'
import type {LeadershipFact} from '#domain/leadership.ts'
import type {RemovalOurs} from '#machines/message-changes/message-changes.types.ts'
import {removalHoldMachine, type HoldRelease} from '#machines/message-changes/removal-hold.machine.ts'
import type {EventFixtures} from './graph.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'

const events = {
  'leader.won': [{type: 'leader.won'}],
  'leader.lost': [{type: 'leader.lost'}],
  'hold.release': [{type: 'hold.release'}],
} satisfies EventFixtures<LeadershipFact | HoldRelease>

describe('the hold of a deletion', () => {
  const {coverage, edges} = describeRules(removalHoldMachine, {
    input: {message: 'a-1', parentRef: nobody},
    events: Object.values(events).flat(),
    endless: ['standInLine'],
  })
  test('every transition is taken', () => expect(coverage.missing(removalHoldMachine)).toEqual([]))
  test('what was let go is never taken in hand again', () => {
    const ends = edges.filter(({state}) => state.matches({standing: 'leaving'}))
    const values = ends.map(({nextState: {value}}) => JSON.stringify(value))
    expect([...new Set(values)].sort()).toEqual(['"over"', '{"standing":"leaving"}'])
  })
})

function start() {
  const line = new Subject<LeadershipFact>()
  const facts: string[] = []
  const failures: unknown[] = []
  let standing = 0
  const clock = new SimulatedClock()
  const parentRef = createActor(
    fromCallback<RemovalOurs>(({receive}) => receive(({message}) => void facts.push(message))),
  ).start()
  const actor = createActor(
    removalHoldMachine.provide({
      actors: {
        standInLine: fromEventObservable<LeadershipFact, {message: string}>(
          () =>
            new Observable((subscriber) => {
              standing += 1
              const subscription = line.subscribe(subscriber)
              return () => {
                standing -= 1
                subscription.unsubscribe()
              }
            }),
        ),
      },
      actions: {logFailure: (_, {error}) => void failures.push(error)},
    }),
    {clock, input: {message: 'a-1', parentRef}},
  ).start()
  return {actor, clock, line, facts, failures, standing: () => standing}
}

test('the first in the queue has the deletion in hand a second after its turn has come, and others a second after it let go', () => {
  const {actor, clock, line, facts, standing} = start()
  clock.increment(60_000)
  line.next({type: 'leader.won'})
  clock.increment(999)
  expect(facts).toEqual([])
  clock.increment(1)
  expect(facts).toEqual(['a-1'])
  actor.send({type: 'hold.release'})
  clock.increment(999)
  expect(standing()).toBe(1)
  clock.increment(1)
  expect([standing(), actor.getSnapshot().status]).toEqual([0, 'done'])
})

test('what was taken back while this tab waited or rested is not taken in hand', () => {
  const {actor, clock, line, facts} = start()
  line.next({type: 'leader.won'})
  clock.increment(500)
  actor.send({type: 'hold.release'})
  clock.increment(10_000)
  expect(facts).toEqual([])
})

test('a browser whose tabs do not know of each other lets each one delete', () => {
  const {line, facts, failures} = start()
  line.error(new Error('foo'))
  expect([facts, failures.length]).toEqual([['a-1'], 1])
})
