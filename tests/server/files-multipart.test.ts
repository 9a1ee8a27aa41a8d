import {describe, expect, test} from 'vitest'
import {readFilePart} from '#server/files/multipart.ts'

const type = 'multipart/form-data; boundary=foo'

const bodyOf = (
  content: string | Uint8Array,
  {head = 'name="file"; filename="a.txt"', tail = '\r\n--foo--\r\n'} = {},
) =>
  Buffer.concat([
    Buffer.from(`--foo\r\nContent-Disposition: form-data; ${head}\r\nContent-Type: text/plain\r\n\r\n`),
    Buffer.from(content),
    Buffer.from(tail),
  ])

const streamOf = (...pieces: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

async function read(stream: ReadableStream<Uint8Array>, contentType = type) {
  const part = await readFilePart(stream, contentType)
  const pieces: Uint8Array[] = []
  for await (const piece of part.content) pieces.push(piece)
  part.close()
  return {fileName: part.fileName, content: Buffer.concat(pieces)}
}

const refusal = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error: unknown) => error,
  )

test('every cut of the body into two gives the same file', async () => {
  const content = Buffer.from('a\r\n--fo\r\n-\r\n--fooo'.replace('--fooo', '--fo o') + '\r\n\r\n\0\xff--foo', 'latin1')
  const body = bodyOf(content)
  for (let cut = 0; cut <= body.length; cut += 1) {
    const file = await read(streamOf(body.subarray(0, cut), body.subarray(cut)))
    expect(file).toEqual({fileName: 'a.txt', content})
  }
})

test('byte by byte as well', async () => {
  const body = bodyOf('\r\n--f\r\n--fo\r\n')
  const file = await read(streamOf(...Array.from(body, (byte) => Uint8Array.of(byte))))
  expect(file.content.toString()).toBe('\r\n--f\r\n--fo\r\n')
})

test('every truncation before the end is a cut-off upload', async () => {
  const body = bodyOf('foo bar')
  const closing = body.indexOf('\r\n--foo--') + '\r\n--foo--'.length
  for (let length = 0; length < closing; length += 1) {
    expect(await refusal(read(streamOf(body.subarray(0, length))))).toMatchObject({
      status: 400,
      options: {field: 'file'},
    })
  }
  expect((await read(streamOf(body.subarray(0, closing)))).content.toString()).toBe('foo bar')
})

test('what the platform itself sends is read: FormData of a browser', async () => {
  const form = new FormData()
  form.set('file', new File([new Uint8Array([0, 1, 2, 255])], 'grüße "1".png'))
  const request = new Request('http://foo.example', {method: 'POST', body: form})
  const file = await read(request.body!, request.headers.get('content-type') ?? '')
  expect(file).toEqual({fileName: 'grüße "1".png', content: Buffer.from([0, 1, 2, 255])})
})

describe('refuses', () => {
  test.each([
    ['text/plain', 'a boundary'],
    ['multipart/form-data', 'a boundary'],
    [`multipart/form-data; boundary=${'x'.repeat(71)}`, 'a boundary'],
  ])('a body of the type %s, without a usable boundary', async (contentType) => {
    expect(await refusal(read(streamOf(bodyOf('foo')), contentType))).toHaveProperty('status', 400)
  })

  test.each([
    ['another name', bodyOf('foo', {head: 'name="picture"; filename="a.txt"'})],
    ['no file name', bodyOf('foo', {head: 'name="file"'})],
    ['a broken extended name', bodyOf('foo', {head: `name="file"; filename*=utf-8''%ff`})],
    [
      'a second part',
      bodyOf('foo', {tail: '\r\n--foo\r\nContent-Disposition: form-data; name="b"\r\n\r\nbar\r\n--foo--'}),
    ],
    ['no part', Buffer.from('--foo--\r\n')],
    ['headers without end', Buffer.concat([Buffer.from('--foo\r\n'), Buffer.alloc(20_000, 'x')])],
    ['a preamble without end', Buffer.alloc(20_000, 'x')],
  ])('a body with %s', async (_, body) => {
    expect(await refusal(read(streamOf(body)))).toMatchObject({status: 400, options: {field: 'file'}})
  })

  test('no body', async () => {
    expect(await refusal(readFilePart(null, type))).toHaveProperty('status', 400)
  })
})

test('a refused upload lets go of the sender', async () => {
  let cancelled = false
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.alloc(4096, 'x')),
    cancel: () => {
      cancelled = true
    },
  })
  await refusal(readFilePart(stream, type))
  expect(cancelled).toBe(true)
})
