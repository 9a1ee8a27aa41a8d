import {describe, expect, test} from 'vitest'
import {chunksOf, readAtEveryCut, utf8} from './cuts.ts'
import {eventStream, readAll, read, partsOf, started, text, completed, failed} from './chat-stream-fixture.ts'

describe('errors in the stream', () => {
  test.each<[string, string, object, string?]>([
    ['an object', '{"error":{"code":"used_up","message":"foo"}}', {code: 'used_up', detail: 'foo'}],
    ['an object without words', '{"error":{}}', {code: 'api_error', detail: 'An error occurred'}],
    ['a text', '{"error":"foo"}', {code: 'api_error', detail: 'foo'}],
    [
      'type error',
      '{"type":"error","message":"foo","code":"busy","status":500}',
      {code: 'busy', detail: 'foo', status: 500},
    ],
    [
      'type error around an object',
      '{"type":"error","error":{"code":"timeout"}}',
      {code: 'timeout', detail: 'An error occurred'},
    ],
    [
      'a numeric code',
      '{"error":{"code":429,"message":"foo"}}',
      {code: 'too_many_requests', detail: 'foo', status: 429},
    ],
    ['a numeric code as text', '{"error":{"code":"504"}}', {code: 'timeout', detail: 'An error occurred', status: 504}],
    ['the older form', '{"code":"used_up","detail":"foo"}', {code: 'used_up', detail: 'foo'}],
    [
      'success false',
      '{"success":false,"error":{"code":"busy"},"trace_id":"bar"}',
      {code: 'busy', detail: 'An error occurred', traceId: 'bar'},
    ],
    [
      'a stop',
      '{"id":"foo","error":{"code":"canceled","message":"foo"},"outcome":"stopped"}',
      {code: 'canceled', detail: 'foo'},
      'stopped',
    ],
    [
      'an interruption',
      '{"error":{"code":"api_error","message":"foo"},"outcome":"interrupted"}',
      {code: 'api_error', detail: 'foo'},
      'interrupted',
    ],
    [
      'an outcome nobody knows',
      '{"error":{"code":"busy","message":"foo"},"outcome":"bar"}',
      {code: 'busy', detail: 'foo'},
    ],
  ])('%s', (_, frame, failure, outcome) => {
    expect(partsOf(`data: {"delta_answer":"a"}\n\ndata: ${frame}\n\n`)).toEqual([
      text(1, 'a'),
      failed(failure, outcome),
    ])
  })

  test('an empty error is none', () => {
    expect(partsOf('data: {"error":"","delta_answer":"a"}\n\ndata: {"error":null,"delta_answer":"b"}\n\n')).toEqual([
      text(1, 'a'),
      text(2, 'b'),
    ])
  })
})

describe('other framings', () => {
  const ndjson =
    '{"id":"foo","message":"bar","attempt":1,"answer":""}\n{"answer":"Tea"}\r\n\n{"answer":"Tea is"}\n{"answer":"Tea is hot","state":"finished"}\n'

  test('ndjson with the answer so far; `state` ends it', () => {
    const parts = [
      {...started(), message: 'bar', attempt: 1},
      text(1, 'Tea'),
      text(2, ' is'),
      text(3, ' hot'),
      completed,
    ]
    expect(partsOf(ndjson, {contentType: 'application/x-ndjson'})).toEqual(parts)
    for (let size = 1; size < 60; size += 1)
      expect(readAll(chunksOf(utf8(ndjson), size), {contentType: 'application/x-ndjson'}).parts).toEqual(parts)
  })

  test.each([
    [
      'event stream',
      'text/event-stream',
      'data: {"delta_answer":"Tea"}\n\ndata: {"outcome":"truncated"}\n\ndata: [DONE]\n\n',
    ],
    [
      'ndjson',
      'application/x-ndjson',
      '{"delta_answer":"Tea"}\n{"answer":"Tea","state":"finished","outcome":"truncated"}\n',
    ],
    ['JSON', 'application/json', '{"answer":"Tea","outcome":"truncated"}'],
  ])('%s that ended at its longest length is finished and says so', (_name, contentType, body) => {
    const parts = [text(1, 'Tea'), {...completed, outcome: 'truncated'}]
    expect(readAtEveryCut(utf8(body), (chunks) => readAll(chunks, {contentType}).parts)).toEqual([parts])
  })

  test('ndjson without that state was cut off', () => {
    expect(partsOf('{"answer":"Tea"}\n', {contentType: 'application/jsonl'})).toEqual([text(1, 'Tea')])
  })

  test('ndjson: bad lines and errors', () => {
    const {parts, logged} = read('{"delta_answer":"a"}\n{"x"\n[]\n{"error":{"code":"busy"}}\n', {
      contentType: 'application/x-ndjson',
    })
    expect(parts).toEqual([text(1, 'a'), failed({code: 'busy', detail: 'An error occurred'})])
    expect(logged).toHaveLength(2)
  })

  test.each(['application/json', 'application/json; charset=utf-8', null, 'text/plain'])(
    'JSON as %s',
    (contentType) => {
      const body = '\n {"answer":\n "Tea is hot",\n "id":"foo"}\n'
      const parts = [started(), text(1, 'Tea is hot'), completed]
      expect(readAtEveryCut(utf8(body), (chunks) => readAll(chunks, {contentType}).parts)).toEqual([parts])
    },
  )

  test('JSON that says an error, or nothing', () => {
    const contentType = 'application/json'
    expect(partsOf('{"error":{"code":"used_up","message":"foo"}}', {contentType})).toEqual([
      failed({code: 'used_up', detail: 'foo'}),
    ])
    expect(partsOf('{}', {contentType})).toEqual([failed({code: 'api_error', detail: 'An error occurred'})])
    expect(partsOf('{"answer":"Te', {contentType})).toEqual([])
  })

  test('ndjson that calls itself JSON', () => {
    expect(partsOf('{"answer":"a"}\n{"answer":"ab","state":"finished"}\n', {contentType: 'application/json'})).toEqual([
      text(1, 'a'),
      text(2, 'b'),
      completed,
    ])
  })

  test.each([
    ['by its type', 'text/html', 'data: {"delta_answer":"a"}\n\n'],
    ['by its look', eventStream, '\uFEFF\n <!doctype html><p>data: [DONE]'],
    ['without a type', null, '<html>'],
  ])('a web page with status 200, %s', (_, contentType, body) => {
    const failure = {code: 'unknown', detail: 'The server sent a web page instead of an answer.', status: 200}
    expect(partsOf(body, {contentType})).toEqual([failed(failure)])
  })
})
