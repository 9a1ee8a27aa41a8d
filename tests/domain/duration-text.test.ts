import {expect, test} from 'vitest'
import {formatSeconds} from '#domain/duration-text.ts'

test.each([
  [0.04, 1, '0 sec'],
  [3.25, 1, '3.3 sec'],
  [12.4, 0, '12 sec'],
  [59.96, 1, '1 min'],
  [65, 0, '1 min 5 sec'],
  [3_600, 0, '60 min'],
])('%d seconds with %d digits are %s', (seconds, digits, expected) =>
  expect(formatSeconds(seconds, 'en', digits)).toBe(expected),
)

test('digits are Latin in every language', () => expect(formatSeconds(12, 'ar')).toMatch(/12/))
