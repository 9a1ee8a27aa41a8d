import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {newFileId} from '#server/files/file-store.ts'
import {openFileStores} from '#server/files/file-stores.ts'
import {createPageServer} from '#server/http/page.ts'
import {openStaticFiles} from '#server/http/static-files.ts'
import {readConfig} from '#server/read-config.ts'
import {rateLimits} from '#server/store/schema/installation.ts'
import {sampleImage} from './files.fixtures.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {base, createPlatform} from './platform.fixtures.ts'
import {createS3, type S3} from './s3.fixtures.ts'
import {readFile as read, upload} from './upload.fixtures.ts'

/* Files of users that the bucket hands out by itself. */

let s3: S3
beforeAll(async () => {
  s3 = await createS3()
})
afterAll(() => s3.close())
afterEach(() => s3.setFault('none'))

describe('delivery by the store itself', () => {
  let server: TestServer
  let user: TestUser
  let client: string
  let png: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    client = mkdtempSync(join(tmpdir(), 'atrium-client-'))
    writeFileSync(join(client, 'index.html'), '<!doctype html><html><head></head><body></body></html>')
    server = await createPlatform({config: {files: s3.config(newFileId(), {delivery: 'redirect'})}})
    png = await sampleImage('png')
    await server.createUser() // the operator
  })
  beforeEach(async () => {
    user = await server.createUser()
  })
  afterAll(async () => {
    await server.close()
    rmSync(client, {recursive: true, force: true})
  })
  const asImage = {'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors'}

  test('an image element is led to a signed address with the type and the name', async () => {
    const {body} = await upload(server, user, png, 'Grüße.png')
    const led = await read(server, body.file_url, asImage)
    expect(led.status).toBe(302)
    const address = led.headers.get('location') ?? ''
    expect(new URL(address).origin).toBe(s3.endpoint)
    expect(led.headers.get('vary')).toContain('Sec-Fetch-Dest')
    expect(led.headers.get('cache-control')).toMatch(/^private, max-age=\d{1,3}$/)
    // the same for a while, so that the browser's copy is found again
    expect((await read(server, body.file_url, asImage)).headers.get('location')).toBe(address)
    const answer = await fetch(address, {headers: {range: 'bytes=2-6'}})
    expect([answer.status, new Uint8Array(await answer.arrayBuffer())]).toEqual([206, png.slice(2, 7)])
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%BC%C3%9Fe.png")
    const other = address.replace('Expires=900', 'Expires=9000')
    expect(other).not.toBe(address)
    expect((await fetch(other)).status).toBe(403)
    expect((await fetch(address.replace(body.id, newFileId()))).status).toBe(403)
  })

  test('a signed address ends', async () => {
    const {body} = await upload(server, user, png, 'foo.png')
    server.advance(-1_000_000)
    // to an earlier clock the bucket of reads that a later one drew from is empty
    await server.deps.database.asSystemOnce((database) => database.delete(rateLimits))
    const led = await read(server, body.file_url, asImage)
    server.advance(1_000_000)
    expect(led.status).toBe(302)
    const answer = await fetch(led.headers.get('location') ?? '')
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('expired')])
  })

  test.each([
    ['a script', 'foo.png', {'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors'}],
    ['an image that a script may read', 'foo.png', {'sec-fetch-dest': 'image', 'sec-fetch-mode': 'cors'}],
    ['a tab', 'foo.png', {'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate'}],
    ['a program', 'foo.png', {}],
    ['an element with a drawing, which may hold a script', 'foo.svg', asImage],
  ])('%s is served here', async (_, name, headers) => {
    const content = name.endsWith('.svg') ? new TextEncoder().encode('<svg xmlns="a"><script>1</script></svg>') : png
    const {body} = await upload(server, user, content, name)
    const answer = await read(server, body.file_url, headers)
    expect([answer.status, answer.headers.get('content-security-policy')]).toEqual([200, "sandbox; default-src 'none'"])
    await answer.body?.cancel()
  })

  test('the origin of a bucket is what the store signs for: of its name, or of the endpoint', async () => {
    const originOf = async (environment: Record<string, string>) => {
      const keys = {AWS_ACCESS_KEY_ID: 'foo', AWS_SECRET_ACCESS_KEY: 'bar', FILES_DELIVERY: 'redirect'}
      return (await openFileStores(readConfig({...keys, ...environment}))).redirect?.origin
    }
    const region = {AWS_REGION: 'eu-central-1'}
    expect(await originOf({FILES_URL: 's3://foo/a', ...region})).toBe('https://foo.s3.eu-central-1.amazonaws.com')
    expect(await originOf({FILES_URL: 's3://foo/a?path-style=true', ...region})).toBe(
      'https://s3.eu-central-1.amazonaws.com',
    )
    const own = {AWS_ENDPOINT_URL: 'https://s3.example.org:9000'}
    expect(await originOf({FILES_URL: 's3://foo', ...own})).toBe('https://s3.example.org:9000')
    expect(await originOf({FILES_URL: 's3://foo?path-style=false', ...own})).toBe('https://foo.s3.example.org:9000')
  })

  test('a renewed address leads nowhere', async () => {
    const {body} = await upload(server, user, png, 'foo.png')
    await server.call('POST', `${base}/files/${body.id}/renew`, {token: user.accessToken})
    expect((await read(server, body.file_url, asImage)).status).toBe(404)
  })

  test('the policy of the page lets the store show images, sound and videos, and nothing else', async () => {
    const built = openStaticFiles(client)
    if (built === undefined) throw new Error('There is no client')
    const page = await createPageServer(server.deps, built)(new Request(testOrigin), testOrigin)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy.split('; ').filter((rule) => rule.includes(s3.endpoint))).toEqual([
      `img-src 'self' ${s3.endpoint} data: blob:`,
      `media-src 'self' ${s3.endpoint} blob:`,
    ])
  })
})
