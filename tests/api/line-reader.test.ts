import {describe, expect, test} from 'vitest'
import {createLineReader, StreamLimitError, type LineReaderOptions} from '#api/line-reader.ts'
import {bytesOf, readAtEveryCut, utf8} from './cuts.ts'

const readAll = (chunks: Uint8Array[], options?: LineReaderOptions) => {
  const reader = createLineReader(options)
  const lines = chunks.flatMap((chunk) => Array.from(reader.push(chunk)))
  return {lines, rest: reader.end()}
}

const samples: [name: string, bytes: Uint8Array, lines: string[], rest: string | undefined][] = [
  ['LF', utf8('a\nb\n'), ['a', 'b'], undefined],
  ['CRLF', utf8('a\r\nb\r\n'), ['a', 'b'], undefined],
  ['CR', utf8('a\rb\r'), ['a', 'b'], undefined],
  ['all three beside each other', utf8('a\r\r\n\n\n\rb'), ['a', '', '', '', ''], 'b'],
  ['no final line break', utf8('a\nbc'), ['a'], 'bc'],
  ['nothing', utf8(''), [], undefined],
  ['UTF-8 of two, three and four bytes', utf8('é\n漢字\n🙂👩‍👩‍👧\nяж'), ['é', '漢字', '🙂👩‍👩‍👧'], 'яж'],
  ['one byte order mark is dropped', bytesOf([0xef, 0xbb, 0xbf], 'a\n'), ['a'], undefined],
  ['the second byte order mark is text', bytesOf([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], 'a\n'), ['\uFEFFa'], undefined],
  ['a later byte order mark is text', bytesOf('a\n', [0xef, 0xbb, 0xbf], 'b\n'), ['a', '\uFEFFb'], undefined],
  ['a character that ends too early', bytesOf('a', [0xe6, 0xbc], '\nb', [0xf0, 0x9f]), ['a\uFFFD'], 'b\uFFFD'],
  [
    'bytes that are never UTF-8',
    bytesOf([0xff, 0xc0, 0xaf], '\n', [0xed, 0xa0, 0x80], '\n'),
    ['\uFFFD\uFFFD\uFFFD', '\uFFFD\uFFFD\uFFFD'],
    undefined,
  ],
  ['NUL and other controls stay', utf8('a\0b\u2028c\u0085\n'), ['a\0b\u2028c\u0085'], undefined],
]

test.each(samples)('lines: %s, at every one and two cuts', (_, bytes, lines, rest) => {
  expect(readAtEveryCut(bytes, readAll)).toEqual([{lines, rest}])
})

test('with newline breaks a CR stays in the line', () => {
  const read = (chunks: Uint8Array[]) => readAll(chunks, {breaks: 'newline'})
  expect(readAtEveryCut(utf8('{"a":\r1}\r\n2'), read)).toEqual([{lines: ['{"a":\r1}\r'], rest: '2'}])
})

test('a lone CR ends a line without waiting for the next byte', () => {
  expect(Array.from(createLineReader().push(utf8('a\r')))).toEqual(['a'])
})

describe('limit', () => {
  const outcome = (chunks: Uint8Array[]) => {
    const reader = createLineReader({maxLineBytes: 4})
    const lines: string[] = []
    try {
      for (const chunk of chunks) for (const line of reader.push(chunk)) lines.push(line)
      return {lines, failed: false}
    } catch (error) {
      return {lines, failed: error instanceof StreamLimitError}
    }
  }

  test('counts bytes, keeps the lines before, and is the same at every cut', () => {
    const outcomes = (text: string) => readAtEveryCut(utf8(text), outcome)
    expect(outcomes('ok\néé\nüüa\nno')).toEqual([{lines: ['ok', 'éé'], failed: true}])
    expect(outcomes('ok\nabcde')).toEqual([{lines: ['ok'], failed: true}])
    expect(outcomes('abcd\r\nabcd')).toEqual([{lines: ['abcd'], failed: false}])
  })

  test('is one MiB unless told otherwise', () => {
    const longest = new Uint8Array(1024 * 1024).fill(0x61)
    const reader = createLineReader()
    expect(Array.from(reader.push(longest))).toEqual([])
    expect(() => Array.from(reader.push(utf8('a')))).toThrow(StreamLimitError)
  })
})

test('copies each byte a bounded number of times in one-byte chunks', () => {
  const one = utf8('a')
  const reader = createLineReader({maxLineBytes: 300_000})
  const original = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'set')
  let copied = 0
  Object.defineProperty(Uint8Array.prototype, 'set', {
    configurable: true,
    value(this: Uint8Array, source: Uint8Array, at?: number) {
      copied += source.length
      original?.value.call(this, source, at)
    },
  })
  try {
    for (let count = 0; count < 300_000; count += 1) Array.from(reader.push(one))
  } finally {
    Reflect.deleteProperty(Uint8Array.prototype, 'set')
  }
  expect(copied).toBeGreaterThanOrEqual(300_000)
  expect(copied).toBeLessThan(300_000 * 4)
  expect(reader.end()).toHaveLength(300_000)
})
