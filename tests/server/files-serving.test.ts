import {existsSync, readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {findStoredFile} from '#server/files/stored-files.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {base, createPlatform} from './platform.fixtures.ts'

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await createPlatform()
  await server.createUser()
})
beforeEach(async () => {
  user = await server.createUser()
})
afterAll(() => server.close())

const folder = () => join(server.deps.config.dataDir, 'files')
const stored = () => (existsSync(folder()) ? readdirSync(folder()).filter((name) => name !== 'incoming') : [])

async function upload(content: string, name: string) {
  const form = new FormData()
  form.set('file', new File([content], name))
  const response = await server.call('POST', `${base}/files/`, {token: user.accessToken, body: form})
  return {status: response.status, body: await response.json()}
}
const read = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.call(method, new URL(address).pathname, {headers, origin: null})

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
    const gone = (await upload('foo', 'gone.txt')).body
    rmSync(join(folder(), gone.id))
    const answers = [
      await read(gone.file_url),
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
  const file = await findStoredFile(server.deps, user.user.id, body.file_url)
  expect(file).toEqual({
    name: 'foo bar.txt',
    type: 'text/plain',
    size: 3,
    id: expect.any(String),
    read: expect.any(Function),
  })
  expect(Buffer.from(await file!.read()).toString()).toBe('foo')
  for (const [userId, address] of [
    [other.user.id, body.file_url],
    [user.user.id, 'https://foreign.example/foo.png'],
    [user.user.id, 'file:///etc/passwd'],
    [user.user.id, `${testOrigin}${base}/files/${'A'.repeat(22)}/foo.txt`],
    [user.user.id, `${testOrigin}${base}/files/${body.id}/%ff`],
    [user.user.id, 'not an address'],
  ] as const) {
    expect(await findStoredFile(server.deps, userId, address)).toBeUndefined()
  }
})
