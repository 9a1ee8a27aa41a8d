import {existsSync} from 'node:fs'
import {expect, test} from 'vitest'
import {inOrder, longFiles} from '#tools/test-order.mjs'

const file = (name: string, path: string) => ({project: {name}, moduleId: `/foo/tests/${path}.test.ts`})

test('tests of the server begin first, the long ones before the others, which stay as they were', () => {
  const [browser, small, codes, unit, large, start, scripts] = [
    file('browser', 'browser/foo'),
    file('server', 'server/small'),
    file('server', 'server/media-codes'),
    file('unit', 'domain/foo'),
    file('server', 'server/large'),
    file('server', 'server/start'),
    file('unit', 'tools/scripts'),
  ] as const
  expect(inOrder([browser, small, codes, unit, large, start, scripts])).toEqual([
    start,
    codes,
    small,
    large,
    browser,
    scripts,
    unit,
  ])
})

test.each(longFiles)('%s is there', (ending) => {
  expect(existsSync(new URL(`../..${ending}`, import.meta.url))).toBe(true)
})
