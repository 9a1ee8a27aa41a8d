import {expect, test} from 'vitest'
import {indexOfAnchor, messageAnchor} from '#domain/message-anchor.ts'

const messages = [{}, {id: 'foo'}, {id: 'm1'}, {id: 'bar', unsent: true}]

test('a message is named by its id, else by its position; one that no server has by nothing', () => {
  expect(messages.map((_, index) => messageAnchor(messages, index))).toEqual(['m1', 'foo', 'm1', undefined])
  expect(messageAnchor(messages, 4)).toBeUndefined()
})

test.each([
  ['foo', 1],
  ['m1', 2],
  ['m2', 1],
  ['m4', 3],
  ['m5', -1],
  ['m0', -1],
  ['', -1],
  ['baz', -1],
])('the link %s leads to %d: an id goes before a position', (anchor, index) =>
  expect(indexOfAnchor(messages, anchor)).toBe(index),
)
