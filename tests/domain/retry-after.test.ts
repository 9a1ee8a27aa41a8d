import {expect, test} from 'vitest'
import {retryAfterSeconds} from '#domain/retry-after.ts'

const now = Date.parse('2026-09-21T10:00:00Z')

test.each([
  ['7', 7],
  ['0', 0],
  ['3600', 300],
  ['Mon, 21 Sep 2026 10:01:30 GMT', 90],
  ['Mon, 21 Sep 2026 09:00:00 GMT', 0],
  ['Tue, 22 Sep 2026 10:00:00 GMT', 300],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('%j is %s seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds)
})
