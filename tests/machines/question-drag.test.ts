import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import {questionDragMachine, shiftOf, type QuestionDragEvent} from '#machines/question-drag/question-drag.machine.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

/** Three rows of 30, 60 and 30 pixels with gaps of 2. */
const rows = [
  {top: 0, height: 30},
  {top: 32, height: 60},
  {top: 94, height: 30},
]
const events = {
  'row.lift': [{type: 'row.lift', key: 'a', from: 0, rows, y: 10}],
  'row.drag': [
    {type: 'row.drag', y: 50},
    {type: 'row.drag', y: 100},
  ],
  'rows.change': [{type: 'rows.change', rows: [rows[0]!, {top: 32, height: 30}, {top: 64, height: 30}]}],
  'row.drop': [{type: 'row.drop'}],
  'drag.cancel': [{type: 'drag.cancel'}],
} satisfies EventFixtures<QuestionDragEvent>

describe('questionDrag', () => {
  const {coverage, edges} = describeRules(questionDragMachine, {
    input: undefined,
    events: Object.values(events).flat(),
    outputs: {},
    errors: [],
    limit: 1_000,
    key: ({context}) => [context.drag?.offset],
  })

  test('every transition is taken', () => {
    expect(coverage.missing(questionDragMachine)).toEqual([])
  })

  test('there is a drag as long as a row is lifted, and no longer', () => {
    expect(
      edges.filter(({nextState}) => nextState.matches('lifted') !== (nextState.context.drag !== undefined)),
    ).toEqual([])
  })
})

function lifted(from: number, y: number) {
  const actor = createActor(questionDragMachine).start()
  actor.send({type: 'row.lift', key: 'a', from, rows, y})
  return (to: number) => {
    actor.send({type: 'row.drag', y: to})
    const {drag} = actor.getSnapshot().context
    return drag && {to: drag.to, shifts: rows.map((_, at) => shiftOf(drag, at))}
  }
}

test('a row passes another one when its edge is behind the middle of that, which makes way', () => {
  const drag = lifted(0, 10)
  expect(drag(42)).toEqual({to: 0, shifts: [32, 0, 0]})
  expect(drag(43)).toEqual({to: 1, shifts: [33, -32, 0]})
  expect(drag(95)).toEqual({to: 2, shifts: [85, -32, -32]})
  expect(drag(12)).toEqual({to: 0, shifts: [2, 0, 0]})
})

test('a row goes up as well, and makes the others step back by its own height', () => {
  const drag = lifted(2, 100)
  expect(drag(60)).toEqual({to: 1, shifts: [0, 32, -40]})
  expect(drag(10)).toEqual({to: 0, shifts: [32, 32, -90]})
})

test('a row does not leave the list', () => {
  expect(lifted(0, 10)(1_000)).toEqual({to: 2, shifts: [94, -32, -32]})
  expect(lifted(2, 100)(-1_000)).toEqual({to: 0, shifts: [32, 32, -94]})
})

test('rows that become higher or lower in a drag are passed by what they are then, and the lifted one stays at the pointer', () => {
  const actor = createActor(questionDragMachine).start()
  const shifts = (given: typeof rows) => {
    const {drag} = actor.getSnapshot().context
    return drag && {to: drag.to, shifts: given.map((_, at) => shiftOf(drag, at))}
  }
  actor.send({type: 'row.lift', key: 'a', from: 2, rows, y: 100})
  actor.send({type: 'row.drag', y: 70})
  expect(shifts(rows)).toEqual({to: 2, shifts: [0, 0, -30]})
  // the second one has one line instead of three: the third begins 30 pixels higher, where it is held
  const lower = [rows[0]!, {top: 32, height: 30}, {top: 64, height: 30}]
  actor.send({type: 'rows.change', rows: lower})
  expect(shifts(lower)).toEqual({to: 2, shifts: [0, 0, 0]})
  actor.send({type: 'row.drag', y: 52})
  expect(shifts(lower)).toEqual({to: 1, shifts: [0, 32, -18]})
})
