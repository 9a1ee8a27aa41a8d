import {expect, test} from 'vitest'
import {selectColumns} from '#machines/compare/compare.machine.ts'
import {open} from './compare-fixture.ts'

/* How long the answers of a comparison took. */

test('a conversation that is gone has no time', () => {
  const {actor, see} = open(['a', 'b'])
  see({a: 'waiting', b: 'waiting'}, 1_000)
  see({a: 'finished', b: 'finished'}, 2_000)
  see({a: 'gone', b: 'finished'}, 3_000)
  expect(selectColumns(actor.getSnapshot()).map(({took}) => took)).toEqual([undefined, 1_000])
})

test('the time of an answer counts from its question, and only where it was seen to run', () => {
  const {actor, see} = open(['a', 'b'])
  see({a: 'waiting', b: 'finished'}, 1_000)
  see({a: 'writing', b: 'finished'}, 2_000)
  see({a: 'finished', b: 'finished'}, 4_500)
  expect(selectColumns(actor.getSnapshot())).toEqual([
    {name: 'a', id: 'c-a', phase: 'finished', took: 3_500},
    {name: 'b', id: 'c-b', phase: 'finished'},
  ])
})

test('a time belongs to one answer: another last answer has its own or none', () => {
  const {actor, report} = open(['a', 'b'])
  const other = {name: 'b', phase: 'finished'} as const
  const ended = (answer: string, took?: number) =>
    report([{name: 'a', phase: 'finished', answer, ...(took === undefined ? {} : {took})}, other], 4_500)
  const tookOf = () => selectColumns(actor.getSnapshot())[0]?.took
  report([{name: 'a', phase: 'waiting'}, other], 1_000)
  ended('m-1')
  expect(tookOf()).toBe(3_500)
  ended('m-2')
  expect(tookOf()).toBeUndefined()
  ended('m-1', 3_500)
  expect(tookOf()).toBe(3_500)
})
