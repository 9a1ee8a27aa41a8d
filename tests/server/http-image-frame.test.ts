import {createHash} from 'node:crypto'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {serveClient} from './client-folder.ts'
import {createTestServer} from './harness.ts'

let client: Awaited<ReturnType<typeof serveClient>>
beforeAll(async () => {
  client = await serveClient()
})
afterAll(() => client.close())

const path = '/image-frame.html'
const hashOf = (html: string, tag: string) => {
  const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? ''
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
const imageSources = (response: Response) =>
  /img-src ([^;]*);/.exec(response.headers.get('content-security-policy') ?? '')?.[1]

test('the frame of a foreign image has a policy of its own: one script, one style, images, and our page around it', async () => {
  const response = await client.get(path)
  const html = await response.text()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    `script-src ${hashOf(html, 'script')}`,
    `style-src ${hashOf(html, 'style')}`,
    expect.stringMatching(/^img-src https:/),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    'sandbox allow-scripts',
  ])
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'permissions-policy': expect.stringContaining('camera=()'),
    'content-security-policy': expect.any(String),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-site',
  })
  // nothing of a request is in it, and nothing in it is asked for
  expect(await (await client.get(`${path}?image=https://foo.example/x.png`)).text()).toBe(html)
  expect(html).not.toMatch(/https?:|src=|href=|location\.(hash|search|href)/)
})

test('images come over https, and of this device for an installation on it alone', async () => {
  expect(imageSources(await client.get(path))).toBe('https: http://localhost:* http://127.0.0.1:*')
  const named = await createTestServer({
    config: {publicOrigins: ['https://ai.example.org', 'http://ai.lan']},
    handler: client.handlerOf,
  })
  for (const origin of ['https://ai.example.org', 'http://ai.lan'])
    expect(imageSources(await named.handle(new Request(origin + path)))).toBe('https:')
  await named.close()
})

test('only a page of our own names it: it is read, and nothing else', async () => {
  const head = await client.server.call('HEAD', path, {origin: null})
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await client.server.call('POST', path, {origin: null})).status).toBe(405)
})
