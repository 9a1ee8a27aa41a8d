import {expect, test} from 'vitest'
import {newestFirst, sortOf, sortText} from '#domain/list-sort.ts'

const keys = ['price', 'created_at']

test.each(['price', '-price', 'created_at', '-created_at'])('%s is read and written the same', (text) =>
  expect(sortText(sortOf(text, keys))).toBe(text),
)

test('an address names key and direction', () => {
  expect(sortOf('-price', keys)).toEqual({key: 'price', direction: 'descending'})
  expect(sortOf('price', keys)).toEqual({key: 'price', direction: 'ascending'})
})

test.each([
  undefined,
  '',
  '-',
  '--price',
  'PRICE',
  'price ',
  'price,-price',
  'constructor',
  '__proto__',
  "price'; drop",
])('%j is no order of the list: newest first', (text) => expect(sortOf(text, keys)).toEqual(newestFirst))
