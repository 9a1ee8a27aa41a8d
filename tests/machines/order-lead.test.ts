import {Subject, throwError, type Observable} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, createEmptyActor, fromCallback, fromEventObservable} from 'xstate'
import type {LeadershipFact} from '#domain/leadership.ts'
import {orderLeadMachine, type LeadRequest} from '#machines/order-lead/order-lead.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'lead.stand': [{type: 'lead.stand'}],
  'leader.won': [{type: 'leader.won'}],
  'leader.lost': [{type: 'leader.lost'}],
} satisfies EventFixtures<LeadRequest | LeadershipFact>

describe('the lead of an order', () => {
  const {coverage, edges} = describeRules(orderLeadMachine, {
    input: {orderId: 'foo', parentRef: createEmptyActor()},
    events: Object.values(events).flat(),
    endless: ['leadership'],
  })

  test('every transition is taken', () => expect(coverage.missing(orderLeadMachine)).toEqual([]))

  test('a tab competes because it was asked to, and never leaves the queue by itself', () => {
    const entered = edges.filter(({state, nextState}) => state.matches('absent') && nextState.matches('standing'))
    expect(entered.map(({event}) => event.type)).toEqual(['lead.stand'])
    expect(edges.filter(({state, nextState}) => state.matches('standing') && nextState.matches('absent'))).toEqual([])
  })
})

function start(leadership: Observable<LeadershipFact>) {
  const reported: string[] = []
  let asked = 0
  const parentRef = createActor(
    fromCallback<LeadershipFact>(({receive}) => receive(({type}) => void reported.push(type))),
  ).start()
  const actor = createActor(
    orderLeadMachine.provide({
      actors: {
        leadership: fromEventObservable<LeadershipFact, {orderId: string}>(() => {
          asked += 1
          return leadership
        }),
      },
    }),
    {input: {orderId: 'foo', parentRef}},
  ).start()
  const stand = () => actor.send({type: 'lead.stand'})
  return {actor, reported, stand, asked: () => asked}
}

test('it says each change, and what it knows whenever it is asked again, but competes once', () => {
  const leadership = new Subject<LeadershipFact>()
  const {reported, stand, asked} = start(leadership)
  expect(asked()).toBe(0)
  stand()
  stand()
  expect([reported, asked()]).toEqual([[], 1])
  leadership.next({type: 'leader.lost'})
  stand()
  leadership.next({type: 'leader.won'})
  stand()
  expect([reported, asked()]).toEqual([['leader.lost', 'leader.lost', 'leader.won', 'leader.won'], 1])
})

test('a browser that cannot say which tab leads lets each one lead', () => {
  const {reported, stand} = start(throwError(() => new Error('foo')))
  stand()
  stand()
  expect(reported).toEqual(['leader.won', 'leader.won'])
})

test('its end hands the lead over', () => {
  const leadership = new Subject<LeadershipFact>()
  const {actor, stand} = start(leadership)
  stand()
  expect(leadership.observed).toBe(true)
  actor.stop()
  expect(leadership.observed).toBe(false)
})
