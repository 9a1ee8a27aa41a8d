import {expect, test} from 'vitest'
import {createPayloadReader} from '#server/providers/payloads.ts'

const value = {kind: 'value', value: {foo: 1}}
const event = `data: ${JSON.stringify(value.value)}\n\n`
const tooLong = `data: ${'x'.repeat(1024 * 1024)}`

test.each(['feed', 'finish'] as const)(
  'an event that is too long takes nothing of what came before it in its piece; the next %s says it',
  (next) => {
    const reader = createPayloadReader()
    expect(reader.feed(event + event + tooLong)).toEqual([value, value])
    expect(() => reader[next](event)).toThrow('exceeded max buffer size')
  },
)

test('an event that becomes too long in many pieces ends the reading', () => {
  const reader = createPayloadReader()
  expect(reader.feed(event)).toEqual([value])
  expect(reader.feed(tooLong.slice(0, -10))).toEqual([])
  expect(reader.feed('x'.repeat(20))).toEqual([])
  expect(() => reader.finish()).toThrow('exceeded max buffer size')
})
