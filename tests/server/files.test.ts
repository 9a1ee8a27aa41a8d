import {utimesSync, writeFileSync} from 'node:fs'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {uploadedFile} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {sweepIncoming} from '#server/files/incoming-file.ts'
import {findStoredFile} from '#server/files/stored-files.ts'
import type {ProviderMessage} from '#server/providers/provider.ts'
import {toWireMessages} from '#server/providers/openai/wire-messages.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {bitmap, heic, sampleImage} from './files.fixtures.ts'
import {base, createPlatform} from './platform.fixtures.ts'
import {createUploads} from './uploads.fixtures.ts'

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

const {folder, leftovers, stored, upload, read} = createUploads({server: () => server, user: () => user})

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
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'image/png',
      'content-length': String(content.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=31536000, immutable',
      'content-disposition': `inline; filename="Gr__e aus K_ln.PNG"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20aus%20K%C3%B6ln.PNG`,
      'accept-ranges': 'bytes',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-site',
      etag: expect.any(String),
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      'referrer-policy': 'no-referrer',
      vary: 'Origin',
      'x-trace-id': expect.any(String),
    })
    expect(leftovers()).toEqual([])
  })

  test.each(['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif'] as const)('an image as %s has its type', async (format) => {
    expect(await upload(await sampleImage(format), `foo.${format}`)).toEqual({
      status: 201,
      body: {
        type: `image/${format}`,
        file_url: expect.any(String),
        id: expect.any(String),
        name: expect.any(String),
        size: expect.any(Number),
      },
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
  ])('%s is served as its kind', async (_, content, name, type) => {
    expect(await upload(content, name)).toEqual({
      status: 201,
      body: {name, type, file_url: expect.any(String), id: expect.any(String), size: expect.any(Number)},
    })
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

  test('a file that is too long to be read as text is refused in its question, and only named to those after it', async () => {
    const {body} = await upload(new Uint8Array(600 * 1024).fill(65), 'log.txt')
    const refused: ProviderMessage = {role: 'user', content: [{type: 'file_url', file_url: body.file_url}]}
    const storedFile = (address: string) => findStoredFile(server.deps, user.user.id, address)
    await expect(toWireMessages({messages: [refused], storedFile})).rejects.toEqual(
      new ProviderFailure('content_too_large', 'The file log.txt is over 524 kB, too long to be read as text.'),
    )
    expect(await toWireMessages({messages: [refused, {role: 'user', content: 'And now?'}], storedFile})).toEqual([
      {role: 'user', content: 'Attached file log.txt: too long to be read.\n\nAnd now?'},
    ])
  })

  test('files over 20 MB together are refused in one question; of earlier ones the newest that have room go along', async () => {
    const sizes = new Map([
      ['/old.png', 12 * megabyte],
      ['/new.png', 9 * megabyte],
      ['/small.png', 2 * megabyte],
      ['/asked.png', 7 * megabyte],
    ])
    const storedFile = async (name: string) => ({
      name: name.slice(1),
      type: 'image/png',
      size: sizes.get(name)!,
      read: async () => Buffer.from(name),
    })
    const question = (...addresses: string[]): ProviderMessage => ({
      role: 'user',
      content: addresses.map((address) => ({type: 'image_url', image_url: address})),
    })
    const image = (name: string) => `data:image/png;base64,${Buffer.from(name).toString('base64')}`
    const both = question('/old.png', '/new.png')
    await expect(toWireMessages({messages: [both], storedFile})).rejects.toEqual(
      new ProviderFailure('content_too_large', 'The attached files are over 20 MB together. Attach fewer.'),
    )
    const messages = await toWireMessages({
      messages: [both, question('/small.png'), question('/asked.png')],
      storedFile,
    })
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          {type: 'text', text: 'Attached file old.png: left out, as the files are over 20 MB together.'},
          ...['/new.png', '/small.png', '/asked.png'].map((name) => ({
            type: 'image_url',
            image_url: {url: image(name)},
          })),
        ],
      },
    ])
  })

  test('an image named as another kind is taken for what it is', async () => {
    const png = await sampleImage('png')
    expect(await upload(png, 'photo.jpg')).toEqual({
      status: 201,
      body: {name: 'photo.png', type: 'image/png', file_url: expect.any(String), id: expect.any(String), size: 96},
    })
  })

  test('as big as allowed, byte for byte', async () => {
    const content = new Uint8Array(20 * megabyte).fill(65)
    const {status, body} = await upload(content, 'big.txt')
    expect([status, body.size]).toEqual([201, content.length])
    expect(Buffer.from(await (await read(body.file_url)).arrayBuffer()).equals(content)).toBe(true)
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
