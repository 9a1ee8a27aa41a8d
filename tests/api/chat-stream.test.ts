import {describe, expect, test} from 'vitest'
import {createAnswerReader, type AnswerReaderOptions} from '#api/chat-stream.ts'
import {chunksOf, readAtEveryCut, utf8} from './cuts.ts'

const eventStream = 'text/event-stream; charset=utf-8'
const readAll = (chunks: Uint8Array[], options: Partial<AnswerReaderOptions> = {}) => {
  const logged: string[] = []
  const reader = createAnswerReader({contentType: eventStream, log: (message) => logged.push(message), ...options})
  const parts = chunks.flatMap((chunk) => Array.from(reader.push(chunk)))
  return {parts: [...parts, ...reader.end()], logged}
}
const read = (body: string, options?: Partial<AnswerReaderOptions>) => readAll([utf8(body)], options)
const partsOf = (body: string, options?: Partial<AnswerReaderOptions>) => read(body, options).parts

const started = (conversation = 'foo') => ({kind: 'started', conversation})
const text = (seq: number, words: string) => ({kind: 'text', seq, text: words})
const completed = {kind: 'completed'}
const failed = (failure: object, outcome = 'refused') => ({kind: 'failed', failure, outcome})

const ours =
  'id: 0\ndata: {"id":"foo","message":"bar","attempt":2,"provider":"sandbox","sandbox":true,"delta_answer":""}\n\n' +
  ': ping\n\nid: 1\ndata: {"id":"foo","delta_answer":"Hé"}\n\nid: 2\ndata: {"id":"foo","delta_answer":"llo 🙂"}\n\ndata: [DONE]\n\n'
const oursParts = [
  {kind: 'started', conversation: 'foo', message: 'bar', attempt: 2, provider: 'sandbox', sandbox: true},
  text(1, 'Hé'),
  text(2, 'llo 🙂'),
  completed,
]

test('our own framing', () => {
  expect(read(ours)).toEqual({parts: oursParts, logged: []})
})

test('is the same at every cut', () => {
  const bytes = utf8('data:{"id":"f","delta_answer":"é🙂"}\r\n\r\ndata: {x\r\n\r\ndata: [DONE]')
  expect(readAtEveryCut(bytes, (chunks) => readAll(chunks).parts)).toEqual([[started('f'), text(1, 'é🙂'), completed]])
  for (let size = 1; size < 40; size += 1) expect(readAll(chunksOf(utf8(ours), size)).parts).toEqual(oursParts)
})

test('a resumed answer keeps the numbers of the server from the first line on', () => {
  const body = 'id: 8\ndata: {"delta_answer":"a"}\n\nid: 9\ndata: {"delta_answer":"b"}\n\ndata: [DONE]\n\n'
  expect(partsOf(body, {lastSeq: 7, isNumbered: true})).toEqual([text(8, 'a'), text(9, 'b'), completed])
})

describe('a foreign server', () => {
  test('numbers nothing: its deltas are counted, whatever ids it sends', () => {
    const body = 'id: 900\ndata: {"id":"foo","delta_answer":"a"}\n\nid: 900\ndata: {"id":"foo","delta_answer":"b"}\n\n'
    expect(partsOf(body)).toEqual([started(), text(1, 'a'), text(2, 'b')])
  })

  test('may send the whole answer beside each delta', () => {
    const body =
      'data: {"id":"foo","answer":"Tea","delta_answer":"Tea"}\ndata: {"id":"foo","answer":"Tea is","delta_answer":" is"}\ndata: [DONE]\n'
    expect(partsOf(body)).toEqual([started(), text(1, 'Tea'), text(2, ' is'), completed])
  })

  test('may send nothing but the whole answer so far', () => {
    const body =
      'data: {"answer":"Tea"}\n\ndata: {"answer":"Tea"}\n\ndata: {"answer":"Tea is"}\n\ndata: {"answer":"No"}\n\n'
    const {parts, logged} = read(body)
    expect(parts).toEqual([text(1, 'Tea'), text(2, ' is')])
    expect(logged).toHaveLength(1)
  })

  test.each([
    '"status":"ok"',
    '"error":false',
    '"error":[]',
    '"attempt":"1"',
    '"message":{"role":"assistant"}',
    '"outcome":"great"',
    '"provider":["x"],"sandbox":"no"',
  ])('loses no text to an odd neighbouring key: %s', (odd) => {
    const {parts, logged} = read(`data: {"id":"foo","delta_answer":"a",${odd}}\n\ndata: [DONE]\n\n`)
    expect(parts).toEqual([started(), text(1, 'a'), completed])
    expect(logged[0]).toContain(odd.slice(1, odd.indexOf('"', 1)))
  })

  test.each(['"error":{}', '"error":{"code":null,"message":""}'])('%s beside text is no error', (empty) => {
    expect(partsOf(`data: {"id":"foo","delta_answer":"a",${empty}}\n\ndata: [DONE]\n\n`)).toEqual([
      started(),
      text(1, 'a'),
      completed,
    ])
  })

  test('may number its conversations', () => {
    expect(partsOf('data: {"id":7,"delta_answer":"a"}\n\n')).toEqual([started('7'), text(1, 'a')])
  })

  test('may send null for what it has not', () => {
    const body = 'data: {"id":"foo","delta_answer":"a","error":null,"type":null,"code":null,"status":null}\n\n'
    expect(partsOf(body)).toEqual([started(), text(1, 'a')])
  })
})

describe('a frame with a text alone is read without the schema', () => {
  const first = '{"id":"foo","delta_answer":"a"}'
  const ids = [undefined, 'foo', 'f'.repeat(128), 'f'.repeat(129), '', 7, null, {}]
  const deltas = [undefined, 'b', '', null, 7, {}]
  const frames = ids.flatMap((id) => deltas.map((delta) => ({id, delta_answer: delta})))
  // as an event, with the first frame before it or not
  const lines = (frame: object) =>
    [first, JSON.stringify(frame)].map((data, index) => `id: ${index}\ndata: ${data}\n\n`)
  test.each(frames)('and as the schema would: %o', (frame) => {
    const [bare, whole] = [lines(frame), lines({...frame, type: null})]
    expect(read(bare.join(''))).toEqual(read(whole.join('')))
    expect(read(bare.at(-1) ?? '')).toEqual(read(whole.at(-1) ?? ''))
  })
})

describe('live', () => {
  const reader = () => createAnswerReader({contentType: eventStream, log: () => undefined})

  test('a line goes out without waiting for a blank one', () => {
    expect(Array.from(reader().push(utf8('data: {"id":"foo","delta_answer":"a"}\n')))).toEqual([
      started(),
      text(1, 'a'),
    ])
  })

  test('[DONE] too', () => {
    expect(Array.from(reader().push(utf8('data:[DONE]\n')))).toEqual([completed])
  })

  test('lines of one event that are no frames alone are one together', () => {
    expect(partsOf('data: {"id":\ndata: "foo",\ndata: "delta_answer":"a"}\n\n')).toEqual([started(), text(1, 'a')])
  })

  test('hundreds of lines and never a blank one', () => {
    const body = 'data: {"delta_answer":"0123456789"}\n'.repeat(30_000)
    expect(partsOf(body)).toHaveLength(30_000)
  })
})

describe('bad lines', () => {
  test.each([
    ['not JSON', 'data: {"delta_answer":\n\n'],
    ['no object', 'data: 5\n\ndata: "a"\n\ndata: []\n\n'],
    ['words', 'data: hello there\n\n'],
    ['a delta of another type', 'data: {"delta_answer":5}\n\n'],
  ])('%s: logged and skipped', (_, bad) => {
    const {parts, logged} = read(`data: {"delta_answer":"a"}\n\n${bad}data: {"delta_answer":"b"}\n\ndata: [DONE]\n\n`)
    expect(parts).toEqual([text(1, 'a'), text(2, 'b'), completed])
    expect(logged.length).toBeGreaterThan(0)
  })

  test('do not flood the log', () => {
    expect(read('data: x\n\n'.repeat(1000)).logged).toHaveLength(20)
  })

  test('unknown events, fields and keys do nothing', () => {
    const body = 'event: evil\nretry: 5\nfoo: bar\ndata: {"delta_answer":"a","foo":{"bar":1}}\n\n'
    expect(read(body)).toEqual({parts: [text(1, 'a')], logged: []})
  })
})

describe('the end', () => {
  test('without [DONE] is not the end of the answer', () => {
    expect(partsOf('data: {"delta_answer":"a"}\n\n')).toEqual([text(1, 'a')])
    expect(partsOf('')).toEqual([])
  })

  test('a whole frame without its line break counts, a cut one does not', () => {
    expect(partsOf('data: {"delta_answer":"a"}')).toEqual([text(1, 'a')])
    expect(partsOf('data: [DONE]')).toEqual([completed])
    expect(partsOf('data: {"delta_answer":"a')).toEqual([])
    expect(partsOf('data: [DON')).toEqual([])
  })

  test('nothing follows it', () => {
    expect(partsOf('data: [DONE]\n\ndata: {"delta_answer":"a"}\n\n')).toEqual([completed])
    expect(partsOf('data: {"error":"foo"}\n\ndata: [DONE]\n\n')).toHaveLength(1)
  })
})

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

describe('limits', () => {
  const tooLong = failed({code: 'api_error', detail: 'The answer is too long.'})

  test('of an event: what came before stays', () => {
    const body = `data: {"delta_answer":"a"}\n\ndata: {"delta_answer":"${'x'.repeat(1024 * 1024)}"}\n\n`
    expect(partsOf(body)).toEqual([text(1, 'a'), tooLong])
    expect(readAll(chunksOf(utf8(body), 65_536)).parts).toEqual([text(1, 'a'), tooLong])
  })

  test('of an event in many lines, also empty ones; lines that are frames never fill one', () => {
    const frames = 'data: {"delta_answer":"a"}\n'.repeat(3)
    const broken = `data: ${'x'.repeat(400 * 1024)}\n`
    expect(partsOf(frames + broken.repeat(2))).toEqual([text(1, 'a'), text(2, 'a'), text(3, 'a')])
    expect(partsOf(frames + broken.repeat(3))).toEqual([text(1, 'a'), text(2, 'a'), text(3, 'a'), tooLong])
    expect(partsOf('data\n'.repeat(1024 * 1024 + 1))).toEqual([tooLong])
    // events below the limit do not add up
    expect(partsOf(`${broken}\n`.repeat(5) + frames)).toHaveLength(3)
  })

  test('of an answer, in bytes of its text', () => {
    const body = 'data: {"delta_answer":"éé"}\n'.repeat(3)
    expect(partsOf(body, {maxBytes: 12})).toHaveLength(3)
    expect(partsOf(body, {maxBytes: 11})).toEqual([text(1, 'éé'), text(2, 'éé'), tooLong])
  })

  test('8 MiB unless told otherwise', () => {
    const line = `data: {"delta_answer":"${'x'.repeat(512 * 1024)}"}\n`
    expect(partsOf(line.repeat(16))).toHaveLength(16)
    expect(partsOf(line.repeat(17)).at(-1)).toEqual(tooLong)
  })

  test('a long answer is not too long because each line repeats it', () => {
    const whole = 'x'.repeat(2_000)
    const lines = Array.from(
      {length: 2_000},
      (_, at) => `data: {"answer":"${whole.slice(0, at + 1)}","delta_answer":"x"}\n`,
    )
    expect(partsOf(lines.join(''), {maxBytes: 2_000})).toHaveLength(2_000)
  })
})
