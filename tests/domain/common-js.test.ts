import {expect, test} from 'vitest'
import {defaultOf} from '#domain/common-js.ts'

test('the default of a CommonJS package is it, or in it', () => {
  const scan = () => 'foo'
  expect([defaultOf(scan), defaultOf(Object.assign(() => 'bar', {default: scan}))]).toEqual([scan, scan])
})
