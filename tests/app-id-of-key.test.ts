import {expect, test} from 'vitest'
import {idOfKey} from '#app/chat/id-of-key.ts'

test('the names of conversations are read once for all keys of a list', () => {
  let reads = 0
  const many = 500
  const items = Array.from({length: many}, (_, nth) => ({
    id: nth === 0 ? undefined : `id-${nth}`,
    get key() {
      reads += 1
      return `key-${nth}`
    },
  }))
  for (let nth = 0; nth < many; nth += 1) expect(idOfKey(items, `edit/${nth}`)).toBeUndefined()
  expect(idOfKey(items, 'key-7')).toBe('id-7')
  expect(idOfKey(items, 'key-0')).toBeUndefined()
  expect(reads).toBeLessThanOrEqual(many)
  // the list changes as another array
  expect(idOfKey([...items, {key: 'new', id: 'c-1'}], 'new')).toBe('c-1')
})
