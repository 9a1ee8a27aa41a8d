import {describe, expect, test} from 'vitest'
import type {FollowFrame} from '#contract/answer-frames.ts'
import {joinPieces, pieceAfter, type AnswerPiece} from '#domain/answer-pieces.ts'
import {toPieces} from '#domain/frame-pieces.ts'

const name = {id: 'c', message: 'm', attempt: 1}
const other = {...name, message: 'n'}
const frame = (more: Partial<FollowFrame>): FollowFrame => ({...name, seq: 0, ...more})
const piece = (from: number, texts: string[], more: Partial<AnswerPiece> = {}): AnswerPiece => ({
  ...name,
  from,
  texts,
  ...more,
})

describe('pieces of answers', () => {
  test('frames become one piece for each answer', () => {
    const frames = [
      frame({provider: 'sandbox', sandbox: true}),
      frame({seq: 1, delta_answer: 'a'}),
      frame({...other, seq: 7, delta_answer: 'x'}),
      frame({seq: 2, delta_answer: 'b'}),
      frame({seq: 2, state: 'failed', outcome: 'refused', error: {code: 'busy', message: 'later'}}),
    ]
    expect(toPieces(frames)).toEqual([
      piece(1, ['a', 'b'], {
        provider: 'sandbox',
        sandbox: true,
        end: {state: 'failed', outcome: 'refused', error: {code: 'busy', message: 'later'}},
      }),
      {...other, from: 7, texts: ['x']},
    ])
  })
  test('an end without deltas stands behind the last one', () => {
    expect(toPieces([frame({seq: 4, state: 'finished'})])).toEqual([piece(5, [], {end: {state: 'finished'}})])
  })
  test('an answer that cannot be followed any more has not ended', () => {
    expect(toPieces([frame({state: 'failed', error: {code: 'not_found'}})])).toEqual([])
  })
  test.each([
    [0, undefined],
    [1, ['b', 'c']],
    [2, ['c']],
    [3, []],
    [9, []],
  ])('after %i', (lastSeq, texts) => expect(pieceAfter(piece(2, ['b', 'c']), lastSeq)?.texts).toEqual(texts))
  test('pieces join at their numbers: nothing twice, nothing over a gap', () => {
    const first = joinPieces([], [piece(1, ['a'])], 8)
    const second = joinPieces(first, [piece(1, ['a', 'b'])], 8)
    expect(second).toEqual([piece(1, ['a', 'b'])])
    expect(joinPieces(second, [piece(9, ['gap'])], 8)).toEqual(second)
    expect(joinPieces(second, [piece(3, [], {end: {state: 'finished'}})], 8)).toEqual([
      piece(1, ['a', 'b'], {end: {state: 'finished'}}),
    ])
  })
  test('the last answers that ended stay', () => {
    const ended = ['m', 'n', 'o'].map((message) => piece(1, [], {message, end: {state: 'finished'}}))
    const running = {...other, message: 'p', from: 1, texts: ['a']}
    expect(joinPieces([...ended, running], [], 2).map(({message}) => message)).toEqual(['n', 'o', 'p'])
  })
})
