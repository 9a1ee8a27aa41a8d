import {expect, test} from 'vitest'
import {createPayloadReader, type Payload} from '#server/providers/payloads.ts'

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

/** Returns the payloads that are read of a text in pieces, and what ends the reading. */
function readAll(pieces: readonly string[], limits?: Parameters<typeof createPayloadReader>[0]) {
  const reader = createPayloadReader(limits)
  const found: Payload[] = []
  try {
    for (const piece of pieces) found.push(...reader.feed(piece))
    found.push(...reader.finish())
  } catch (error) {
    return {found, error: String(error)}
  }
  return {found}
}

/** Whole, in two and three pieces cut at every position, and character by character. */
function expectAtEveryCut(
  text: string,
  expected: ReturnType<typeof readAll>,
  limits?: {event: number; document: number},
) {
  for (let first = 0; first <= text.length; first += 1)
    for (let second = first; second <= text.length; second += 1) {
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)]
      expect(readAll(pieces, limits), pieces.join('|')).toEqual(expected)
    }
  expect(readAll([...text], limits)).toEqual(expected)
}

const values = (...all: unknown[]): Payload[] => all.map((each) => ({kind: 'value', value: each}))
const malformed = (text: string): Payload => ({kind: 'malformed', text})
const limits = {event: 20, document: 20}
const error = 'RangeError: The JSON body is too long.'
const long = JSON.stringify({a: 'x'.repeat(30)})

test.each<[name: string, text: string, expected: ReturnType<typeof readAll>]>([
  ['lines', '{"a":1}\n{"a":2}\n', {found: [...values({a: 1}, {a: 2}), {kind: 'whole'}]}],
  ['lines without a last break', ' \r\n{"a":1}\r\n\r\n[2]', {found: [...values({a: 1}, [2]), {kind: 'whole'}]}],
  [
    'a line that is not JSON',
    '[1]\nfoo\n[2]',
    {found: [...values([1]), malformed('foo'), ...values([2]), {kind: 'whole'}]},
  ],
  ['lines that end inside of one', '[1]\n[2]\n{"a"', {found: [...values([1], [2]), {kind: 'cut'}]}],
  ['a mark of the end', '[1]\n[DONE]\n', {found: [...values([1]), {kind: 'done'}, {kind: 'whole'}]}],
  ['a document over lines', '{\n"a":\n[1]}\n', {found: [...values({a: [1]}), {kind: 'whole'}]}],
  ['a document that ends inside', '{\n"a":\n', {found: [{kind: 'cut'}]}],
  [
    'a line as long as may be',
    `[1]\n["${'x'.repeat(16)}"]\n`,
    {found: [...values([1], ['x'.repeat(16)]), {kind: 'whole'}]},
  ],
  ['a line that is too long', `[1]\n[2]\n${long}\n[3]\n`, {found: values([1], [2]), error}],
  ['one at the end', `[1]\n${long}`, {found: values([1]), error}],
  ['one at the beginning', `${long}\n[3]\n`, {found: [], error}],
  ['a document that is too long', `{\n"a":\n"${'x'.repeat(20)}"\n}`, {found: [], error}],
])('%s, at every cut', (_name, text, expected) => expectAtEveryCut(text, expected, limits))

test('a line too long takes nothing of those that the same piece brought before it', () => {
  const reader = createPayloadReader()
  expect(reader.feed(`[1]\n[2]\n["${'x'.repeat(8 * 1024 * 1024)}`)).toEqual(values([1], [2]))
  expect(() => reader.feed('"]\n[3]\n')).toThrow('too long')
})
