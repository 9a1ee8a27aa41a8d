import {expect, test} from 'vitest'
import {attemptTimes} from '#domain/answer-facts.ts'

const attempt = {attempt: 1, state: 'finished', model: 'foo', created_at: '2026-01-01T00:00:00.000Z'}

test('an attempt waits until it begins and takes until it ends', () =>
  expect(
    attemptTimes({...attempt, started_at: '2026-01-01T00:00:01.500Z', finished_at: '2026-01-01T00:00:04.000Z'}),
  ).toEqual({waited: 1.5, took: 4}))

test('an attempt that runs has no end, and clocks that disagree make no negative time', () =>
  expect(attemptTimes({...attempt, started_at: '2025-12-31T23:59:59.000Z'})).toEqual({waited: 0, took: undefined}))
