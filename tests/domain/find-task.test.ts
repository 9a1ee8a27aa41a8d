import {describe, expect, test} from 'vitest'
import {isTaskOf, timesAround} from '#domain/find-task.ts'

const request = {prompt: 'foo', count: 1, style: '', async: true}
const task = (createdAt: number, echo: Record<string, unknown> | null = {prompt: 'foo', count: 1, seed: 4}) => ({
  id: 'a',
  created_at: createdAt,
  request: echo,
})

describe('the task of a request whose answer was lost', () => {
  test.each([
    ['before the clocks may differ', 879, false],
    ['as far before as the clocks may differ', 880, true],
    ['when it was meant', 1_000, true],
    ['half an hour later', 2_800, true],
    ['later than that', 2_801, false],
  ])('made %s', (_when, at, isFound) => {
    expect(isTaskOf(task(at), request, {at: 1_000})).toBe(isFound)
  })

  test('a request that was sent again may have been made until half an hour after that', () => {
    expect(isTaskOf(task(9_000), request, {at: 1_000, sentAt: 8_000})).toBe(true)
    expect(isTaskOf(task(9_801), request, {at: 1_000, sentAt: 8_000})).toBe(false)
    expect(isTaskOf(task(1_000), request, {at: 1_000, sentAt: 8_000})).toBe(true)
  })

  test('it was made from the same body, whatever the server adds or leaves out', () => {
    expect(isTaskOf(task(1_000, {prompt: 'bar', count: 1}), request, {at: 1_000})).toBe(false)
    expect(isTaskOf(task(1_000, {prompt: 'foo'}), request, {at: 1_000})).toBe(false)
    expect(isTaskOf(task(1_000, null), request, {at: 1_000})).toBe(false)
  })

  test('a clock that went back opens no empty range', () => {
    expect(timesAround({at: 1_000, sentAt: 900})).toEqual({from: 880, to: 2_800})
  })
})
