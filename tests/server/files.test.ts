import {existsSync, readdirSync, utimesSync, writeFileSync} from 'node:fs'
import {mkdir} from 'node:fs/promises'
import {connect} from 'node:net'
import {join} from 'node:path'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {uploadedFile} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import {sweepIncoming} from '#server/files/incoming-file.ts'
import {findStoredFile} from '#server/files/stored-files.ts'
import {ServerEnds} from '#server/http/failure.ts'
import {listen} from '#server/http/listen.ts'
import {toWireMessages} from '#server/providers/openai/wire-messages.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {bitmap, claimingPng, heic, sampleImage} from './files.fixtures.ts'
import {base, createPlatform} from './platform.fixtures.ts'
import {eventually} from '../eventually.ts'

const megabyte = 1_048_576
let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await createPlatform({config: {fileQuotaBytes: 30 * megabyte}})
  await server.createUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await server.createUser()
})

const folder = () => join(server.deps.config.dataDir, 'files')
const leftovers = () => (existsSync(join(folder(), 'incoming')) ? readdirSync(join(folder(), 'incoming')) : [])
const stored = () => (existsSync(folder()) ? readdirSync(folder()).filter((name) => name !== 'incoming') : [])

const formOf = (content: string | Uint8Array<ArrayBuffer>, name: string) => {
  const form = new FormData()
  form.set('file', new File([content], name))
  return form
}
async function upload(content: string | Uint8Array<ArrayBuffer>, name: string, token = user.accessToken) {
  const response = await server.call('POST', `${base}/files/`, {token, body: formOf(content, name)})
  return {status: response.status, body: await response.json()}
}
const read = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.call(method, new URL(address).pathname, {headers, origin: null})

describe('an image that was cut off on its way', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('%s: is said to be, and not kept', async (form) => {
    const content = await sampleImage(form)
    for (const share of [0.5, 0.95]) {
      const {status, body} = await upload(content.slice(0, Math.floor(content.length * share)), `a.${form}`)
      expect([status, body.code]).toEqual([400, 'bad_request'])
    }
    expect((await upload(content, `a.${form}`)).status).toBe(201)
    expect(leftovers()).toEqual([])
  })
})

describe('taking a file', () => {
  test('answers where it is and what it is, and serves the same bytes', async () => {
    const content = await sampleImage('png')
    const {status, body} = await upload(content, 'Grüße aus Köln.PNG')
    expect(status).toBe(201)
    expect(body).toEqual({
      file_url: `${testOrigin}${base}/files/${body.id}/${encodeURIComponent('Grüße aus Köln.PNG')}`,
      id: expect.stringMatching(/^[\w-]{22}$/),
      name: 'Grüße aus Köln.PNG',
      type: 'image/png',
      size: content.length,
    })
    expect(z.safeParse(uploadedFile, body).success).toBe(true)
    const answer = await read(body.file_url)
    expect(answer.status).toBe(200)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(content)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(content.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=31536000, immutable',
      'content-disposition': `inline; filename="Gr__e aus K_ln.PNG"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20aus%20K%C3%B6ln.PNG`,
    })
    expect(leftovers()).toEqual([])
  })

  test.each(['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif'] as const)('%s', async (format) => {
    expect(await upload(await sampleImage(format), `foo.${format}`)).toMatchObject({
      status: 201,
      body: {type: `image/${format}`},
    })
  })

  test.each([
    ['a bitmap', bitmap(10, -10), 'foo.bmp', 'image/bmp'],
    ['a heic', heic(4032, 3024), 'foo.heic', 'image/heic'],
    [
      'an icon',
      new Uint8Array([0, 0, 1, 0, 1, 0, 16, 16, ...Array.from({length: 60}, () => 0)]),
      'foo.ico',
      'image/x-icon',
    ],
    ['a pdf', '%PDF-1.7\n%âãÏÓ\n', 'foo.pdf', 'application/pdf'],
    ['Markdown', '# Grüße', 'foo.md', 'text/markdown'],
    ['text that starts like a bitmap', 'BM stands for bitmap', 'foo.txt', 'text/plain'],
    ['a program', 'const a = 1', 'foo.ts', 'text/plain'],
    ['JSON', '{"a": 1}', 'foo.json', 'application/json'],
    ['text of an extension that is not listed', '{"log": {}}', 'network-log.har', 'text/plain'],
    ['lines of JSON', '{"a": 1}\n{"a": 2}\n', 'foo.jsonl', 'text/plain'],
    ['text without an extension', 'FROM node:24', 'Dockerfile', 'text/plain'],
    ['text after the last dot that is no extension', 'grüße', 'foo.1-бар', 'text/plain'],
    ['text that could be a page', '<script>alert(1)</script>', 'foo.liquid', 'text/plain'],
  ])('%s', async (_, content, name, type) => {
    expect(await upload(content, name)).toMatchObject({status: 201, body: {name, type}})
  })

  test('text of an unlisted kind is served like a text file: nothing in it runs', async () => {
    const {body} = await upload('<script>alert(1)</script>', 'Makefile')
    const {headers} = await read(body.file_url)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
  })

  test.each(['network-log.har', 'Dockerfile', 'foo.jsonl'])('%s is given to a model as text', async (name) => {
    const {body} = await upload('grüße', name)
    const messages = await toWireMessages({
      messages: [{role: 'user', content: [{type: 'file_url', file_url: body.file_url}]}],
      storedFile: (address) => findStoredFile(server.deps, user.user.id, address),
    })
    expect(messages).toEqual([{role: 'user', content: `Attached file ${name}:\n\ngrüße`}])
  })

  test('an image named as another kind is taken for what it is', async () => {
    const png = await sampleImage('png')
    expect(await upload(png, 'photo.jpg')).toMatchObject({status: 201, body: {name: 'photo.png', type: 'image/png'}})
  })

  test('as big as allowed, byte for byte', async () => {
    const content = new Uint8Array(20 * megabyte).fill(65)
    const {status, body} = await upload(content, 'big.txt')
    expect([status, body.size]).toEqual([201, content.length])
    expect(Buffer.from(await (await read(body.file_url)).arrayBuffer()).equals(content)).toBe(true)
  })
})

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
  ])('%s', async (_, content, name, status, code) => {
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
    expect(await upload(await claimingPng(8_000, 6_000), 'foo.png')).toMatchObject({status: 201})
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
  ])('%s', async (_who, reason, expected) => {
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

describe('the quota', () => {
  test('counts what a user has, also when two arrive at once; deleting makes room', async () => {
    const big = new Uint8Array(16 * megabyte).fill(65)
    const answers = await Promise.all([upload(big, 'a.txt'), upload(big, 'b.txt')])
    expect(answers.map(({status}) => status).sort()).toEqual([201, 413])
    expect((await upload(big, 'c.txt')).body).toEqual({
      code: 'content_too_large',
      detail: 'Your files would take more than the 30 MB you have here. Delete one first.',
      field: 'file',
    })
    expect((await upload(big, 'd.txt', (await server.createUser()).accessToken)).status).toBe(201)
    const kept = answers.find(({status}) => status === 201)!.body
    const path = `${base}/files/${kept.id}`
    expect((await server.call('DELETE', path, {token: user.accessToken})).status).toBe(204)
    expect((await read(kept.file_url)).status).toBe(404)
    expect(stored()).not.toContain(kept.id)
    expect((await upload(big, 'e.txt')).status).toBe(201)
    expect(leftovers()).toEqual([])
  })
})

test('what a killed process left half received is taken away after an hour, younger parts are not', async () => {
  const incoming = join(folder(), 'incoming')
  await mkdir(incoming, {recursive: true})
  const now = server.deps.now().getTime() / 1000
  for (const [name, age] of [
    ['old', 7200],
    ['young', 60],
  ] as const) {
    writeFileSync(join(incoming, name), 'half')
    utimesSync(join(incoming, name), now - age, now - age)
  }
  await sweepIncoming(server.deps)
  expect(leftovers()).toEqual(['young'])
})
