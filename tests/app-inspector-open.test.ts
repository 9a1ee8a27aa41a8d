import {expect, test} from 'vitest'
import {chooseInspector} from '#app/inspector/open-inspector.ts'

const createMemory = () => {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}

test.each([
  ['', undefined],
  ['?foo=inspect', undefined],
  ['?inspect', 'page'],
  ['?foo=1&inspect=', 'page'],
  ['?inspect=page', 'page'],
  ['?inspect=stately', 'stately'],
  ['?inspect=off', undefined],
])('%j opens %s', (search, target) => {
  expect(chooseInspector(search, createMemory())).toBe(target)
})

test('the tab remembers it through a sign-in, until it is switched off', () => {
  const memory = createMemory()
  const visits = ['', '?inspect=stately', '?code=c&state=s', '?inspect', '', '?inspect=off', '']
  expect(visits.map((search) => chooseInspector(search, memory))).toEqual([
    undefined,
    'stately',
    'stately',
    'page',
    'page',
    undefined,
    undefined,
  ])
})
