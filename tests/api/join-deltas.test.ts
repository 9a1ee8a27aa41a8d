import {describe, expect, test} from 'vitest'
import type {AnswerEvent} from '#domain/answer.ts'
import {joinDeltas} from '#api/join-deltas.ts'

describe('joinDeltas', () => {
  const delta = (seq: number, text: string, address: object = {}): AnswerEvent => ({
    type: 'answer.received',
    conversation: 'c',
    message: 'm',
    attempt: 1,
    from: seq,
    seq,
    text,
    ...address,
  })

  test('deltas that follow each other are one, with the first and the last number', () => {
    expect(joinDeltas([delta(3, 'a'), delta(4, 'b'), delta(5, 'c')])).toEqual([{...delta(5, 'abc'), from: 3}])
  })

  test.each([
    ['a gap', delta(6, 'b')],
    ['a repeat', delta(4, 'b')],
    ['another message', delta(5, 'b', {message: 'n'})],
    ['another attempt', delta(5, 'b', {attempt: 2})],
    ['another conversation', delta(5, 'b', {conversation: 'd'})],
  ])('%s keeps them apart', (_, next) => {
    expect(joinDeltas([delta(4, 'a'), next])).toEqual([delta(4, 'a'), next])
  })

  test('other events keep their position', () => {
    const connected: AnswerEvent = {type: 'answer.connected'}
    const completed: AnswerEvent = {type: 'answer.completed'}
    const events = [connected, delta(1, 'a'), {type: 'answer.pinged'} as const, delta(2, 'b'), delta(3, 'c'), completed]
    expect(joinDeltas(events)).toEqual([
      connected,
      delta(1, 'a'),
      {type: 'answer.pinged'},
      {...delta(3, 'bc'), from: 2},
      completed,
    ])
  })
})
