import {describe, expect, test} from 'vitest'
import {createAnswerReader} from '#api/chat-stream.ts'
import {chunksOf, readAtEveryCut, utf8} from './cuts.ts'
import {eventStream, readAll, read, partsOf, started, text, completed, failed} from './chat-stream-fixture.ts'

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
