import {existsSync, readdirSync, utimesSync, writeFileSync} from 'node:fs'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {crc32} from 'node:zlib'
import sharp from 'sharp'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {uploadedFile} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import {sweepIncoming} from '#server/files/file-store.ts'
import {findStoredFile} from '#server/files/stored-files.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {base, createPlatform} from './platform.fixtures.ts'

const megabyte = 1_048_576
let server: TestServer
let person: TestUser
beforeAll(async () => {
  server = await createPlatform({config: {fileQuotaBytes: 30 * megabyte}})
  await server.createUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  person = await server.createUser()
})

const folder = () => join(server.deps.config.dataDir, 'files')
const leftovers = () => (existsSync(join(folder(), 'incoming')) ? readdirSync(join(folder(), 'incoming')) : [])
const stored = () => (existsSync(folder()) ? readdirSync(folder()).filter((name) => name !== 'incoming') : [])

const formOf = (content: string | Uint8Array<ArrayBuffer>, name: string) => {
  const form = new FormData()
  form.set('file', new File([content], name))
  return form
}
async function upload(content: string | Uint8Array<ArrayBuffer>, name: string, token = person.accessToken) {
  const response = await server.call('POST', `${base}/files/`, {token, body: formOf(content, name)})
  return {status: response.status, body: await response.json()}
}
const read = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.call(method, new URL(address).pathname, {headers, origin: null})

const picture = async (format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif') =>
  new Uint8Array(
    await sharp({create: {width: 3, height: 2, channels: 3, background: 'red'}})
      .toFormat(format)
      .toBuffer(),
  )

/** A real picture whose header claims another size. */
async function claimingPng(width: number, height: number) {
  const png = Buffer.from(await picture('png'))
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return new Uint8Array(png)
}
function bitmap(width: number, height: number) {
  const bytes = Buffer.alloc(64)
  bytes.write('BM')
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  return new Uint8Array(bytes)
}
function heic(width: number, height: number) {
  const ispe = Buffer.alloc(20)
  ispe.writeUInt32BE(20)
  ispe.write('ispe', 4)
  ispe.writeUInt32BE(width, 12)
  ispe.writeUInt32BE(height, 16)
  return new Uint8Array(Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'), ispe]))
}

describe('taking a file', () => {
  test('answers where it is and what it is, and serves the same bytes', async () => {
    const content = await picture('png')
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
    expect(await upload(await picture(format), `foo.${format}`)).toMatchObject({
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
  ])('%s', async (_, content, name, type) => {
    expect(await upload(content, name)).toMatchObject({status: 201, body: {name, type}})
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
    ['a page named as a picture', '<!doctype html><script>alert(1)</script>', 'foo.png', 415, 'bad_request'],
    ['a bitmap named as a png', bitmap(1, 1), 'foo.png', 415, 'bad_request'],
    ['a program of an unknown kind', 'MZ', 'foo.exe', 415, 'bad_request'],
    ['no extension', 'foo', 'foo', 415, 'bad_request'],
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

  test('a png that claims 60 MP', async () => {
    expect(await upload(await claimingPng(10_000, 6_000), 'foo.png')).toMatchObject({status: 413})
    expect(await upload(await claimingPng(8_000, 6_000), 'foo.png')).toMatchObject({status: 201})
    expect(leftovers()).toEqual([])
  })

  const frame = '--foo\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  const send = (body: ReadableStream<Uint8Array>, signal?: AbortSignal) =>
    server.handle(
      new Request(`${testOrigin}${base}/files/`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${person.accessToken}`,
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
    expect((await send(body)).status).toBeGreaterThanOrEqual(400)
    expect([leftovers(), stored()]).toEqual([[], before])
  })

  test('a client that leaves', async () => {
    const before = stored()
    const leaving = new AbortController()
    let pieces = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pieces += 1
        controller.enqueue(pieces === 1 ? Buffer.from(frame) : Buffer.alloc(1024, 'x'))
        if (pieces === 5) leaving.abort()
      },
    })
    const outcome = await send(body, leaving.signal).then(
      (response) => response.status,
      () => 'rejected',
    )
    expect(outcome).not.toBe(201)
    expect([leftovers(), stored()]).toEqual([[], before])
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
    const answer = await server.call('POST', `${base}/files/`, {token: person.accessToken, body: {file: 'foo'}})
    expect(answer.status).toBe(415)
  })
})

describe('the quota', () => {
  test('counts what a person has, also when two arrive at once; deleting makes room', async () => {
    const big = new Uint8Array(16 * megabyte).fill(65)
    const answers = await Promise.all([upload(big, 'a.txt'), upload(big, 'b.txt')])
    expect(answers.map(({status}) => status).sort()).toEqual([201, 413])
    expect((await upload(big, 'c.txt')).body).toMatchObject({code: 'content_too_large'})
    expect((await upload(big, 'd.txt', (await server.createUser()).accessToken)).status).toBe(201)
    const kept = answers.find(({status}) => status === 201)!.body
    const path = `${base}/files/${kept.id}`
    expect((await server.call('DELETE', path, {token: person.accessToken})).status).toBe(204)
    expect((await read(kept.file_url)).status).toBe(404)
    expect(stored()).not.toContain(kept.id)
    expect((await upload(big, 'e.txt')).status).toBe(201)
    expect(leftovers()).toEqual([])
  })
})

describe('serving', () => {
  test.each([
    [
      'a drawing with a script',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'foo.svg',
      'image/svg+xml',
    ],
    ['a page', '<!doctype html><script>alert(1)</script>', 'foo.html', 'text/html; charset=utf-8'],
    ['a program', 'alert(1)', 'foo.js', 'text/plain; charset=utf-8'],
    [
      'xml with a style sheet',
      '<?xml version="1.0"?><?xml-stylesheet href="a"?><a/>',
      'foo.xml',
      'text/plain; charset=utf-8',
    ],
    ['a pdf', '%PDF-1.7\n', 'foo.pdf', 'application/pdf'],
  ])('%s never runs', async (_, content, name, type) => {
    const {body} = await upload(content, name)
    const answer = await read(body.file_url)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const disposition = answer.headers.get('content-disposition') ?? ''
    expect(disposition.startsWith(type.startsWith('text/plain') ? 'inline' : 'attachment')).toBe(true)
  })

  test.each([
    ['../../../etc/passwd.txt', 'passwd.txt'],
    ['..\\..\\foo.txt', 'foo.txt'],
    ['foo\u202etxt.exe.txt', 'footxt.exe.txt'],
  ])('a name like %j is metadata only', async (given, name) => {
    const {body} = await upload('foo', given)
    expect(body.name).toBe(name)
    expect(stored()).toContain(body.id)
    expect(new URL(body.file_url).pathname.split('/').at(-1)).toBe(encodeURIComponent(name))
  })

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['items=0-1', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
  ])('%s', async (range, status, text, contentRange) => {
    const {body} = await upload('0123456789', 'foo.txt')
    const answer = await read(body.file_url, {range})
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ])
  })

  test('If-Range of another version gives all; If-None-Match of this one gives nothing; HEAD has no body', async () => {
    const {body} = await upload('0123456789', 'foo.txt')
    const etag = (await read(body.file_url)).headers.get('etag') ?? ''
    expect((await read(body.file_url, {range: 'bytes=0-1', 'if-range': '"other"'})).status).toBe(200)
    expect((await read(body.file_url, {range: 'bytes=0-1', 'if-range': etag})).status).toBe(206)
    expect((await read(body.file_url, {'if-none-match': etag})).status).toBe(304)
    const head = await read(body.file_url, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
  })

  test('another name, another id and a file that is gone from the disk are the same 404', async () => {
    const {body} = await upload('foo', 'foo.txt')
    const answers = [
      await read(body.file_url.replace('foo.txt', 'foo.exe')),
      await read(body.file_url.replace(body.id, 'A'.repeat(22))),
      await read(body.file_url.replace(body.id, '..%2f..%2fetc')),
    ]
    for (const answer of answers) expect([answer.status, (await answer.json()).code]).toEqual([404, 'not_found'])
  })
})

test('a stored file is found for its owner by its address, and fetched for nobody', async () => {
  const {body} = await upload('foo', 'foo bar.txt')
  const other = await server.createUser()
  const file = await findStoredFile(server.deps, person.user.id, body.file_url)
  expect(file).toMatchObject({name: 'foo bar.txt', type: 'text/plain', size: 3})
  expect(Buffer.from(await file!.read()).toString()).toBe('foo')
  for (const [userId, address] of [
    [other.user.id, body.file_url],
    [person.user.id, 'https://foreign.example/foo.png'],
    [person.user.id, 'file:///etc/passwd'],
    [person.user.id, `${testOrigin}${base}/files/${'A'.repeat(22)}/foo.txt`],
    [person.user.id, `${testOrigin}${base}/files/${body.id}/%ff`],
    [person.user.id, 'not an address'],
  ] as const) {
    expect(await findStoredFile(server.deps, userId, address)).toBeUndefined()
  }
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
