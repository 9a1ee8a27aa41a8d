import {connect} from 'node:net'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {ServerEnds} from '#server/http/failure.ts'
import {listen} from '#server/http/listen.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {bitmap, claimingPng, heic} from './files.fixtures.ts'
import {base, createPlatform} from './platform.fixtures.ts'
import {createUploads} from './uploads.fixtures.ts'
import {eventually} from '../eventually.ts'

const megabyte = 1_048_576
let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await createPlatform()
  await server.createUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await server.createUser()
})

const {leftovers, stored, upload} = createUploads({server: () => server, user: () => user})

describe('refusing a file leaves nothing behind', () => {
  test.each([
    ['too large', new Uint8Array(20 * megabyte + 1).fill(65), 'foo.txt', 413, 'content_too_large'],
    ['empty', '', 'foo.txt', 400, 'bad_request'],
    ['a page named as an image', '<!doctype html><script>alert(1)</script>', 'foo.png', 415, 'bad_request'],
    ['a bitmap named as a song', bitmap(1, 1), 'foo.mp3', 415, 'bad_request'],
    ['a program of an unknown kind', 'MZ', 'foo.exe', 415, 'bad_request'],
    ['bytes without an extension', new Uint8Array([0x50, 0x4b, 3, 4, 0xff]), 'foo', 415, 'bad_request'],
    ['bytes of an unknown kind', new Uint8Array([0x50, 0x4b, 3, 4, 0]), 'foo.bar', 415, 'bad_request'],
    ['a page of another extension', '<html xmlns="http://www.w3.org/1999/xhtml"/>', 'foo.XHTML', 415, 'bad_request'],
    ['an archive of a page', 'MIME-Version: 1.0', 'foo.mhtml', 415, 'bad_request'],
    ['a shortcut', '[InternetShortcut]', 'foo.url', 415, 'bad_request'],
    ['a program of a long extension', '<assembly/>', 'foo.appref-ms', 415, 'bad_request'],
    ['bytes named as text', new Uint8Array([0xff, 0xfe, 0x00]), 'foo.txt', 415, 'bad_request'],
    ['half a character at the end', new Uint8Array([65, 0xc3]), 'foo.txt', 415, 'bad_request'],
    ['text with a NUL', 'a\0b', 'foo.csv', 415, 'bad_request'],
    ['text named as svg', 'no drawing', 'foo.svg', 415, 'bad_request'],
    [
      'a damaged png',
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82]),
      'foo.png',
      400,
      'bad_request',
    ],
    ['a bitmap of 60 MP', bitmap(10_000, 6_000), 'foo.bmp', 413, 'content_too_large'],
    ['a heic of 60 MP', heic(10_000, 6_000), 'foo.heic', 413, 'content_too_large'],
    ['a bitmap without a size', bitmap(0, 5), 'foo.bmp', 400, 'bad_request'],
    ['a name of nothing but marks', 'foo', '\u202e\u200b', 400, 'bad_request'],
  ])('%s is refused', async (_, content, name, status, code) => {
    const before = stored()
    const answer = await upload(content, name)
    expect([answer.status, answer.body.code, answer.body.field]).toEqual([status, code, 'file'])
    expect(leftovers()).toEqual([])
    expect(stored()).toEqual(before)
  })

  test('says of bytes of an unknown kind that they are not taken, not that text was expected', async () => {
    const {body} = await upload(new Uint8Array([0x50, 0x4b, 3, 4, 0]), 'foo.bar')
    expect(body).toEqual({detail: 'Files of this kind are not taken here.', code: 'bad_request', field: 'file'})
  })

  test('a png that claims 60 MP', async () => {
    expect(await upload(await claimingPng(10_000, 6_000), 'foo.png')).toEqual({
      status: 413,
      body: {code: 'content_too_large', detail: 'An image has at most 50 megapixels.', field: 'file'},
    })
    expect(await upload(await claimingPng(8_000, 6_000), 'foo.png')).toEqual({
      status: 201,
      body: {file_url: expect.any(String), id: expect.any(String), name: 'foo.png', type: 'image/png', size: 96},
    })
    expect(leftovers()).toEqual([])
  })

  const frame = '--foo\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  const send = (body: ReadableStream<Uint8Array>, signal?: AbortSignal) =>
    server.handle(
      new Request(`${testOrigin}${base}/files/`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${user.accessToken}`,
          'content-type': 'multipart/form-data; boundary=foo',
          origin: testOrigin,
        },
        body,
        signal,
        duplex: 'half',
      } as RequestInit),
    )

  test('cut off in the middle', async () => {
    const before = stored()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(Buffer.from(`${frame}half of it`))
        controller.close()
      },
    })
    expect((await send(body)).status).toBe(400)
    expect([leftovers(), stored()]).toEqual([[], before])
  })

  test('a connection that breaks in the middle', async () => {
    const before = stored()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(`${frame}half of it`)),
      pull: (controller) => controller.error(new Error('reset')),
    })
    expect((await send(body)).status).toBe(400)
    expect([leftovers(), stored()]).toEqual([[], before])
  })

  test.each([
    ['a client that leaves', undefined, 400],
    ['a process that ends: it is to be sent again', new ServerEnds(), 503],
  ])('%s in the middle of an upload', async (_who, reason, expected) => {
    const before = stored()
    const leaving = new AbortController()
    let pieces = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pieces += 1
        controller.enqueue(pieces === 1 ? Buffer.from(frame) : Buffer.alloc(1024, 'x'))
        if (pieces === 5) leaving.abort(reason)
      },
    })
    const outcome = await send(body, leaving.signal).then(
      (response) => response.status,
      () => 'rejected',
    )
    expect(outcome).toBe(expected)
    expect([leftovers(), stored()]).toEqual([[], before])
  })

  test('a socket that is torn down, over the wire', async () => {
    const before = stored()
    const listening = await createPlatform({config: {port: 0}, sharing: server})
    const listener = await listen(listening.deps, listening.handle)
    const {port} = listener.addresses.find(({address}) => address === '127.0.0.1')!
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST ${base}/files/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${user.accessToken}\r\n` +
        `Content-Type: multipart/form-data; boundary=foo\r\nContent-Length: 100000\r\n\r\n${frame}half of it`,
    )
    await eventually(() => expect(leftovers()).toHaveLength(1))
    socket.destroy()
    await eventually(() => expect(leftovers()).toEqual([]))
    expect(stored()).toEqual(before)
    await listener.drain(0, 0)
    expect(listening.logged.filter(({level}) => level === 'error')).toEqual([])
    await listening.close()
  })

  test('an endless body is stopped at the limit, without a length stated', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = sent === 0 ? Buffer.from(frame) : Buffer.alloc(megabyte, 'x')
        sent += piece.length
        controller.enqueue(piece)
      },
    })
    expect((await send(body)).status).toBe(413)
    expect(sent).toBeLessThan(25 * megabyte)
    expect(leftovers()).toEqual([])
  })

  test('another content type', async () => {
    const answer = await server.call('POST', `${base}/files/`, {token: user.accessToken, body: {file: 'foo'}})
    expect(answer.status).toBe(415)
  })
})
