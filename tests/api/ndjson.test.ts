import {expect, test} from 'vitest'
import {createJsonLineReader, type JsonLine} from '#api/ndjson.ts'
import {StreamLimitError} from '#api/line-reader.ts'
import {bytesOf, readAtEveryCut, utf8} from './cuts.ts'

const readAll = (chunks: Uint8Array[]) => {
  const reader = createJsonLineReader()
  const lines = chunks.flatMap((chunk) => Array.from(reader.push(chunk)))
  return {lines, rest: reader.end()}
}

const samples: [name: string, bytes: Uint8Array, lines: JsonLine[], rest?: JsonLine][] = [
  ['objects', utf8('{"a":1}\n{"a":"漢🙂"}\n'), [{value: {a: 1}}, {value: {a: '漢🙂'}}]],
  ['CRLF, blank lines and white space', utf8('\r\n{"a":\r1}\r\n \t\n2\n'), [{value: {a: 1}}, {value: 2}]],
  ['null is a value', utf8('null\n'), [{value: null}]],
  ['a line that is not JSON', utf8('{"a":1}\n{"a"\n[]\n'), [{value: {a: 1}}, {malformed: '{"a"'}, {value: []}]],
  ['no final line break', utf8('1\n{"a":2}'), [{value: 1}], {value: {a: 2}}],
  ['cut off', utf8('1\n{"a":'), [{value: 1}], {malformed: '{"a":'}],
  ['a byte order mark', bytesOf([0xef, 0xbb, 0xbf], '{}\n'), [{value: {}}]],
  ['nothing but blanks', utf8('\n \n\t'), []],
]

test.each(samples)('ndjson: %s, at every one and two cuts', (_, bytes, lines, rest) => {
  expect(readAtEveryCut(bytes, readAll)).toEqual([{lines, rest}])
})

test('a line over the limit', () => {
  const reader = createJsonLineReader({maxBytes: 8})
  expect(Array.from(reader.push(utf8('{"a":1}\n')))).toHaveLength(1)
  expect(() => Array.from(reader.push(utf8('{"a":123}\n')))).toThrow(StreamLimitError)
})
