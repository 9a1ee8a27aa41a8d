import {describe, expect, test} from 'vitest'
import {StreamLimitError} from '#api/lines.ts'
import {createEventReader, type ServerSentEvent} from '#api/sse.ts'
import {bytesOf, chunksOf, readAtEveryCut, utf8} from './cuts.ts'

const readAll = (chunks: Uint8Array[]) => {
  const reader = createEventReader()
  const events = chunks.flatMap((chunk) => Array.from(reader.push(chunk)))
  return {events, rest: reader.end(), retry: reader.retry}
}
const message = (data: string, lastEventId = '', type = 'message'): ServerSentEvent => ({type, data, lastEventId})

/** After the vectors of the Web Platform Tests for event streams, written anew. */
const vectors: [name: string, bytes: Uint8Array, events: ServerSentEvent[], rest?: ServerSentEvent, retry?: number][] =
  [
    ['one event', utf8('data: foo\n\n'), [message('foo')]],
    ['no space after the colon', utf8('data:foo\n\n'), [message('foo')]],
    ['only the first space belongs to the field', utf8('data:  foo \n\n'), [message(' foo ')]],
    ['a tab is not that space', utf8('data:\tfoo\n\n'), [message('\tfoo')]],
    ['lines join', utf8('data: foo\ndata: bar\n\n'), [message('foo\nbar')]],
    ['a field without colon is empty', utf8('data\ndata\n\ndata\n\n'), [message('\n'), message('')]],
    ['an empty data field is an event', utf8('data:\n\n'), [message('')]],
    ['no data, no event', utf8('event: foo\n\nid: 1\n\n\n\n'), []],
    [
      'the type is of one event only',
      utf8('event: foo\ndata: a\n\ndata: b\n\n'),
      [message('a', '', 'foo'), message('b')],
    ],
    ['an empty type is message', utf8('event: foo\nevent:\ndata: a\n\n'), [message('a')]],
    [
      'the id stays',
      utf8('id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n'),
      [message('a', '7'), message('b', '7'), message('c')],
    ],
    ['an id alone counts for the next event', utf8('id: 7\n\ndata: a\n\n'), [message('a', '7')]],
    [
      'an id with NUL is ignored',
      utf8('id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n'),
      [message('a', '1'), message('b', '1')],
    ],
    [
      'comments and unknown fields',
      utf8(': ping\n:data: no\nfoo: bar\n data: no\nDATA: no\ndata: a\n\n'),
      [message('a')],
    ],
    ['retry', utf8('retry: 1500\nretry: 15a\nretry:\nretry: -1\n\n'), [], undefined, 1500],
    ['CRLF', utf8('data: a\r\ndata: b\r\n\r\n'), [message('a\nb')]],
    ['CR', utf8('data: a\rdata: b\r\r'), [message('a\nb')]],
    [
      'mixed',
      utf8('data: a\r\n\ndata: b\n\r\ndata: c\r\rdata: d\n\n'),
      ['a', 'b', 'c', 'd'].map((data) => message(data)),
    ],
    ['a byte order mark at the start', bytesOf([0xef, 0xbb, 0xbf], 'data: a\n\n'), [message('a')]],
    ['a byte order mark later', bytesOf('data: a\n\n', [0xef, 0xbb, 0xbf], 'data: b\n\n'), [message('a')]],
    ['characters of up to four bytes', utf8('data: é漢🙂\n\n'), [message('é漢🙂')]],
    ['no final blank line', utf8('data: a\n\ndata: b\n'), [message('a')], message('b')],
    ['no final line break', utf8('data: a\n\nid: 3\nevent: foo\ndata: b'), [message('a')], message('b', '3', 'foo')],
  ]

test.each(vectors)('events: %s, at every one and two cuts', (_, bytes, events, rest, retry) => {
  expect(readAtEveryCut(bytes, readAll)).toEqual([{events, rest, retry}])
})

describe('takeLine', () => {
  test('sees a data line as soon as its line break is there, with the id of its own event', () => {
    const seen: [string, string | undefined][] = []
    const reader = createEventReader({takeLine: (data, id) => seen.push([data, id]) > 0})
    Array.from(reader.push(utf8('id: 1\ndata: a')))
    expect(seen).toEqual([])
    Array.from(reader.push(utf8('\ndata: b\n\ndata: c\n')))
    expect(seen).toEqual([
      ['a', '1'],
      ['b', '1'],
      ['c', undefined],
    ])
  })

  test('a taken line is no part of the event', () => {
    const reader = createEventReader({takeLine: (data) => data === 'mine'})
    expect(Array.from(reader.push(utf8('data: mine\n\ndata: mine\ndata: a\ndata: b\n\n')))).toEqual([message('a\nb')])
  })

  test('lines that are taken never fill an event that has no end', () => {
    let taken = 0
    const reader = createEventReader({maxBytes: 64, takeLine: () => (taken += 1) > 0})
    for (let count = 0; count < 100; count += 1) Array.from(reader.push(utf8('data: 0123456789\n')))
    expect(taken).toBe(100)
  })
})

describe('limits', () => {
  test('an event of many lines', () => {
    const reader = createEventReader({maxBytes: 32})
    const lines = 'data: 0123456789\n'.repeat(3)
    expect(() => Array.from(reader.push(utf8(lines)))).toThrow(StreamLimitError)
  })

  test('an event of many empty lines', () => {
    const reader = createEventReader({maxBytes: 32})
    expect(() => Array.from(reader.push(utf8('data\n'.repeat(33))))).toThrow(StreamLimitError)
  })

  test('events below the limit do not add up', () => {
    const reader = createEventReader({maxBytes: 32})
    expect(Array.from(reader.push(utf8('data: 0123456789\n\n'.repeat(50))))).toHaveLength(50)
  })
})

test('a long stream comes out the same in chunks of any size', () => {
  const bytes = utf8(
    Array.from({length: 500}, (_, at) => `id: ${at}\r\ndata: {"delta_answer":"слово ${at} 🙂"}\r\n\r\n`).join(''),
  )
  const whole = readAll([bytes])
  expect(whole.events).toHaveLength(500)
  for (const size of [1, 2, 3, 5, 7, 16, 61, 1024]) expect(readAll(chunksOf(bytes, size))).toEqual(whole)
})
