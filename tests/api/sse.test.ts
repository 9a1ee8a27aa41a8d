import {expect, test} from 'vitest'
import {createEventReader, type EventLine} from '#api/sse.ts'
import {bytesOf, chunksOf, readAtEveryCut, utf8} from './cuts.ts'

/**
 * Whole events as the standard has them: their lines joined, with the id of the last one. `rest`: without a blank line.
 */
function readAll(chunks: Uint8Array[]) {
  const reader = createEventReader()
  const last: EventLine[] = []
  const lines = chunks.flatMap((chunk) => Array.from(reader.push(chunk)))
  const end = reader.end()
  const events: Event[] = []
  for (const line of [...lines, ...(end === undefined ? [] : [end])]) {
    if (line !== 'end') last.push(line)
    else if (last.length > 0) events.push(...joined(last.splice(0)))
  }
  return {events, rest: joined(last)[0]}
}
type Event = {data: string; id: string | undefined}
const joined = (lines: readonly EventLine[]): Event[] => {
  const data = lines.filter((line) => line !== 'end')
  const id = data.at(-1)?.id
  return data.length === 0 ? [] : [{data: data.map((line) => line.data).join('\n'), id}]
}
const message = (data: string, id?: string): Event => ({data, id})

/** After the vectors of the Web Platform Tests for event streams, written anew. */
const vectors: [name: string, bytes: Uint8Array, events: Event[], rest?: Event][] = [
  ['one event', utf8('data: foo\n\n'), [message('foo')]],
  ['no space after the colon', utf8('data:foo\n\n'), [message('foo')]],
  ['only the first space belongs to the field', utf8('data:  foo \n\n'), [message(' foo ')]],
  ['a tab is not that space', utf8('data:\tfoo\n\n'), [message('\tfoo')]],
  ['lines join', utf8('data: foo\ndata: bar\n\n'), [message('foo\nbar')]],
  ['a field without colon is empty', utf8('data\ndata\n\ndata\n\n'), [message('\n'), message('')]],
  ['an empty data field is an event', utf8('data:\n\n'), [message('')]],
  ['no data, no event', utf8('event: foo\n\nid: 1\n\n\n\n'), []],
  ['a type changes nothing', utf8('event: foo\ndata: a\n\nevent:\ndata: b\n\n'), [message('a'), message('b')]],
  [
    'the id is of one event only',
    utf8('id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n'),
    [message('a', '7'), message('b'), message('c', '')],
  ],
  ['an id alone is of its event', utf8('id: 7\n\ndata: a\n\n'), [message('a')]],
  ['an id with NUL is ignored', utf8('id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n'), [message('a', '1'), message('b')]],
  [
    'comments and unknown fields',
    utf8(': ping\n:data: no\nfoo: bar\n data: no\nDATA: no\ndata: a\n\n'),
    [message('a')],
  ],
  ['retry', utf8('retry: 1500\nretry: 15a\nretry:\nretry: -1\n\n'), []],
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
  ['no final line break', utf8('data: a\n\nid: 3\nevent: foo\ndata: b'), [message('a')], message('b', '3')],
]

test.each(vectors)('events: %s, at every one and two cuts', (_, bytes, events, rest) => {
  expect(readAtEveryCut(bytes, readAll)).toEqual([{events, rest}])
})

test('a data line comes as soon as its line break is there, with the id of its own event', () => {
  const reader = createEventReader()
  expect([...reader.push(utf8('id: 1\ndata: a'))]).toEqual([])
  expect([...reader.push(utf8('\ndata: b\n\ndata: c\n'))]).toEqual([
    {data: 'a', id: '1'},
    {data: 'b', id: '1'},
    'end',
    {data: 'c', id: undefined},
  ])
})

test('a long stream comes out the same in chunks of any size', () => {
  const bytes = utf8(
    Array.from({length: 500}, (_, at) => `id: ${at}\r\ndata: {"delta_answer":"слово ${at} 🙂"}\r\n\r\n`).join(''),
  )
  const whole = readAll([bytes])
  expect(whole.events).toHaveLength(500)
  for (const size of [1, 2, 3, 5, 7, 16, 61, 1024]) expect(readAll(chunksOf(bytes, size))).toEqual(whole)
})
