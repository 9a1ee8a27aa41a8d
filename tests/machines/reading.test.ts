import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import {readingMachine, type ReadingEvent} from '#machines/reading/reading.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'find.open': [{type: 'find.open'}],
  'outline.open': [{type: 'outline.open'}],
  'panel.close': [{type: 'panel.close'}],
  'query.change': [{type: 'query.change', query: 'foo', from: 3}],
  'hit.follow': [{type: 'hit.follow', query: 'bar', from: 4}],
  'match.choose': [{type: 'match.choose', match: 2}],
} satisfies EventFixtures<ReadingEvent>

describe('the panels over a thread', () => {
  const {coverage, states} = describeRules(readingMachine, {
    input: undefined,
    user: ['find.open', 'outline.open', 'panel.close', 'query.change', 'match.choose', 'hit.follow'],
    events: Object.values(events).flat(),
    outputs: {},
  })
  test('every transition is taken', () => expect(coverage.missing(readingMachine)).toEqual([]))
  test('a closed search leaves nothing behind', () => {
    const others = states.filter((snapshot) => !snapshot.matches('finding'))
    expect(others.map(({context}) => context)).toEqual(others.map(() => ({query: '', from: 0, match: undefined})))
  })
})

test('another query begins where the view is; asking for the field again keeps the query', () => {
  const actor = createActor(readingMachine).start()
  actor.send({type: 'find.open'})
  actor.send({type: 'query.change', query: 'foo', from: 0})
  actor.send({type: 'match.choose', match: 5})
  actor.send({type: 'find.open'})
  expect(actor.getSnapshot().context).toEqual({query: 'foo', from: 0, match: 5})
  actor.send({type: 'query.change', query: 'foob', from: 7})
  expect(actor.getSnapshot().context).toEqual({query: 'foob', from: 7, match: undefined})
})

test('a hit of another search replaces the words that are looked for; the field that is asked for then keeps them', () => {
  const actor = createActor(readingMachine).start()
  actor.send({type: 'find.open'})
  actor.send({type: 'query.change', query: 'foo', from: 0})
  actor.send({type: 'match.choose', match: 5})
  actor.send({type: 'hit.follow', query: 'bar', from: 4})
  expect(actor.getSnapshot().value).toEqual({finding: 'led'})
  actor.send({type: 'find.open'})
  expect(actor.getSnapshot().value).toEqual({finding: 'asked'})
  expect(actor.getSnapshot().context).toEqual({query: 'bar', from: 4, match: undefined})
})
