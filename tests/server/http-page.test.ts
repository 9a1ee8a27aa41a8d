import {brotliDecompressSync, gunzipSync} from 'node:zlib'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {pageConfig} from '#contract/page-config.ts'
import {placeholderOrigin} from '#server/platform/placeholder-origin.ts'
import {sites} from '#server/store/schema/platform.ts'
import {serveClient, template} from './client-folder.ts'
import {createTestServer, testOrigin} from './harness.ts'

let client: Awaited<ReturnType<typeof serveClient>>
beforeAll(async () => {
  client = await serveClient()
})
afterAll(() => client.close())

const get: typeof client.get = (...request) => client.get(...request)

/** The capabilities of this server beside the specification. */
const capabilities = [
  'pkce',
  'refresh',
  'running',
  'renewable-files',
  'usage-totals',
  'account',
  'general-plans',
  'orders',
  'shares',
  'answers',
  'prompts',
  'favourite-models',
  'upload-keys',
]

describe('the page', () => {
  test('is filled with the services and a fresh nonce that its policy names (R07)', async () => {
    const [first, second] = [await get('/chatgpt/conversations'), await get('/')]
    const html = await first.text()
    const policy = first.headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
    expect(second.headers.get('content-security-policy')).not.toBe(policy)
    expect(html).not.toContain('__CSP_NONCE__')
    expect(html.match(/<script\b/g)).toHaveLength(html.split(`nonce="${nonce}"`).length - 1)
    expect(policy.replace(nonce, '…')).toBe(
      [
        "default-src 'none'",
        "script-src 'nonce-…' 'strict-dynamic'",
        "style-src 'self' 'nonce-…'".replace('…', nonce),
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types app',
      ].join('; '),
    )
    const config: unknown = JSON.parse(/id="config"[^>]*>([^<]*)</.exec(html)?.[1] ?? '')
    expect(pageConfig.parse(config)).toEqual({
      mode: 'test',
      platform: `${testOrigin}/services/platform`,
      auth: `${testOrigin}/services/auth`,
      api: `${testOrigin}/services/api`,
      hub: testOrigin,
      siteOrigin: expect.stringMatching(/^http:\/\/localhost-[0-9a-f-]{36}$/),
      loginFlow: 'redirect',
      capabilities,
      foreignImages: 'framed',
    })
  })

  test('preloads the messages of its language; the list of files is not public', async () => {
    const page = await get('/chatgpt/conversations', {'accept-language': 'sr'})
    const nonce = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1] ?? ''
    expect((await page.text()).match(/<link rel="modulepreload".*?>/g)).toEqual([
      `<link rel="modulepreload" href="/assets/sr-abc.js" nonce="${nonce}" />`,
    ])
    expect(await (await get('/', {'accept-language': 'fi'})).text()).not.toContain('modulepreload')
    expect((await get('/.vite/manifest.json')).status).toBe(404)
  })

  test('names own origins of services in its config and policy, and keeps the placeholder for loopback', async () => {
    const split = await createTestServer({
      config: {
        publicOrigins: ['https://ai.example.org'],
        serviceOrigins: {auth: 'https://auth.example.org'},
        loginFlow: 'popup',
      },
      handler: client.handlerOf,
    })
    const response = await split.handle(new Request('http://ai.example.org/'))
    expect(response.headers.get('content-security-policy')).toContain("frame-src 'self' https://auth.example.org;")
    const config: unknown = JSON.parse(/id="config"[^>]*>([^<]*)</.exec(await response.text())?.[1] ?? '')
    expect(config).toEqual({
      mode: 'test',
      platform: 'https://ai.example.org/services/platform',
      auth: 'https://auth.example.org',
      api: 'https://ai.example.org/services/api',
      hub: 'https://ai.example.org',
      loginFlow: 'popup',
      capabilities,
      foreignImages: 'framed',
      largestFile: 20_971_520,
    })
    await split.close()
  })

  test.each([
    ['LOCALE=ar; THEME=light', '<html lang="ar" dir="rtl" data-theme="light">'],
    ['THEME=dark;LOCALE=zh-TW', '<html lang="zh-TW" dir="ltr" data-theme="dark">'],
    ['LOCALE=xx"><script>; THEME=blue', '<html lang="en" dir="ltr" data-theme="dark">'],
    ['XLOCALE=de', '<html lang="en" dir="ltr" data-theme="dark">'],
  ])('with cookies %s', async (cookie, tag) => expect(await (await get('/', {cookie})).text()).toContain(tag))

  test.each([
    [
      {'accept-language': 'ar-EG, en;q=0.5'},
      '<html lang="ar" dir="rtl" data-theme="dark">',
      'يحتاج Atrium إلى JavaScript.',
    ],
    [
      {'accept-language': 'ar', cookie: 'LOCALE=de'},
      '<html lang="de" dir="ltr" data-theme="dark">',
      'Atrium braucht JavaScript.',
    ],
    [{'accept-language': 'tlh'}, '<html lang="en" dir="ltr" data-theme="dark">', 'Atrium needs JavaScript.'],
  ])('says what it needs in the language of the request: %o', async (headers, tag, words) => {
    const html = await (await get('/', headers)).text()
    expect(html).toContain(tag)
    expect(html).toContain(`<noscript>${words}</noscript>`)
  })

  test('has what replaces it where its script does not come, and that has its own language', async () => {
    const html = await (await get('/', {'accept-language': 'ar'})).text()
    expect(html).toContain(
      '<p class="not-loaded" lang="ar" dir="rtl">تعذّر تحميل Atrium. <a href="">إعادة التحميل</a></p>',
    )
  })

  test('names the field that takes a question before the app is there', async () => {
    const html = await (await get('/', {'accept-language': 'fr'})).text()
    expect(/<textarea[^>]*>/.exec(html)?.[0]).toContain(' aria-label="Message" placeholder="Posez une question"')
  })

  test('may be kept by nobody but asked for again', async () => {
    const {headers} = await get('/site')
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'no-cache',
      'Cookie, Accept-Language, Accept-Encoding',
    ])
  })

  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const)('for Accept-Encoding "%s" comes as %s, filled', async (accepted, encoding, decompress) => {
    const response = await get('/', {'accept-encoding': accepted})
    const bytes = Buffer.from(await response.arrayBuffer())
    const nonce = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1] ?? 'none'
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(bytes.length).toBeLessThan(template.length / 2)
    expect(decompress(bytes).toString()).toContain(`nonce="${nonce}"`)
  })

  test('without Accept-Encoding comes as it is', async () => {
    const response = await get('/')
    expect([response.headers.get('content-encoding'), (await response.text()).slice(0, 15)]).toEqual([
      null,
      '<!doctype html>',
    ])
  })

  test.each([
    '/api/v1/users/me',
    '/assets/none-abc.js',
    '/robots.txt',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/assets/app-abc.js.map',
    '/index.html.br',
  ])('%s is a 404 and not the page', async (path) =>
    expect([(await get(path)).status, (await get(path)).headers.get('content-type')]).toEqual([
      404,
      'application/json',
    ]),
  )

  test('what asks for data gets no page', async () => {
    expect((await get('/chatgpt', {accept: 'application/json'})).status).toBe(404)
    expect((await get('/chatgpt', {accept: 'text/html,*/*;q=0.8'})).status).toBe(200)
  })

  test('is only read', async () => {
    const response = await client.server.call('POST', '/chatgpt', {body: {}})
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('has the words of its site in its head, which see neither the nonce nor the services', async () => {
    const origin = await placeholderOrigin(client.server.deps)
    const title = `</title><script nonce="__CSP_NONCE__">alert(1)</script>`
    const write = (values: object) =>
      client.server.deps.database.asSystem((transaction) =>
        transaction
          .insert(sites)
          .values({origin, ...values})
          .onConflictDoUpdate({target: sites.origin, set: values}),
      )
    await write({title, description: 'foo "bar"'})
    client.server.advance(5_000)
    const text = await (await get('/')).text()
    expect(text).toContain('<title>&#60;/title&#62;&#60;script nonce=&#34;__CSP_NONCE__&#34;&#62;alert(1)')
    expect(text).toContain('<meta name="description" content="foo &#34;bar&#34;" />')
    await client.server.deps.database.asSystem((transaction) => transaction.delete(sites))
    client.server.advance(5_000)
    expect(await (await get('/')).text()).toContain('<title>Atrium</title>')
  })

  test('a HEAD has the headers and no body', async () => {
    const response = await client.server.call('HEAD', '/')
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})
