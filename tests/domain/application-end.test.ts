import {expect, test} from 'vitest'
import {applicationEnd} from '#domain/application-end.ts'

const now = Date.parse('2026-11-24T12:00:00Z')

test.each([
  [undefined, 'never'],
  [null, 'never'],
  ['foo', 'never'],
  ['2026-11-24T12:00:00Z', 'expired'],
  ['2026-11-24T12:00:01Z', 'soon'],
  ['2026-12-01T11:59:59Z', 'soon'],
  ['2026-12-01T12:00:00Z', 'later'],
])('an application that ends at %s: %s', (expired_at, end) => {
  expect(applicationEnd({expired_at}, now)).toBe(end)
})
