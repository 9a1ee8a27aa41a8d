import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import {readAloudMachine, selectPhase, type ReadAloudEvent} from '#machines/read-aloud/read-aloud.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'reading.start': [
    {type: 'reading.start', index: 1, text: 'foo'},
    {type: 'reading.start', index: 3, text: 'bar'},
  ],
  'reading.stop': [{type: 'reading.stop'}],
  'thread.left': [{type: 'thread.left'}],
} satisfies EventFixtures<ReadAloudEvent>

describe('the voice', () => {
  const {coverage, states} = describeRules(readAloudMachine, {
    input: undefined,
    user: ['reading.start', 'reading.stop', 'thread.left'],
    events: Object.values(events).flat(),
    outputs: {readText: [undefined]},
  })
  test('every transition is taken', () => expect(coverage.missing(readAloudMachine)).toEqual([]))
  test('one message at most is read', () => {
    const read = states.map((snapshot) => [1, 3].filter((index) => selectPhase(snapshot, index) === 'reading').length)
    expect(Math.max(...read)).toBe(1)
  })
})

test('another answer silences the one that is read; an end is silence', async () => {
  const heard: {text: string; signal: AbortSignal; end: () => void}[] = []
  const actor = createActor(
    readAloudMachine.provide({
      actors: {
        readText: fromPromise<void, {text: string}>(
          ({input: {text}, signal}) => new Promise<void>((end) => heard.push({text, signal, end})),
        ),
      },
    }),
  ).start()
  actor.send({type: 'reading.start', index: 1, text: 'foo'})
  actor.send({type: 'reading.start', index: 3, text: 'bar'})
  expect(heard.map(({text, signal}) => [text, signal.aborted])).toEqual([
    ['foo', true],
    ['bar', false],
  ])
  expect([1, 3].map((index) => selectPhase(actor.getSnapshot(), index))).toEqual([undefined, 'reading'])
  heard[1]?.end()
  expect(selectPhase(await waitFor(actor, (snapshot) => snapshot.matches('silent')), 3)).toBeUndefined()
})
