import {randomUUID} from 'node:crypto'
import {tmpdir} from 'node:os'
import {brotliDecompressSync} from 'node:zlib'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {openStaticFiles} from '#server/http/static-files.ts'
import {placeholderOrigin} from '#server/platform/placeholder-origin.ts'
import {sites} from '#server/store/schema/platform.ts'
import {script, serveClient} from './client-folder.ts'

let client: Awaited<ReturnType<typeof serveClient>>
beforeAll(async () => {
  client = await serveClient()
})
afterAll(() => client.close())

const get: typeof client.get = (...request) => client.get(...request)

describe('files of the client', () => {
  test('hashed assets are kept for ever and sent as brotli to whom understands it', async () => {
    const response = await get('/assets/app-abc.js', {'accept-encoding': 'gzip, br'})
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'content-length': '40',
      'cross-origin-resource-policy': 'same-site',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(brotliDecompressSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(script)
  })

  test.each(['', 'gzip', 'br;q=0', 'identity'])(
    'with Accept-Encoding "%s" the bytes come as they are',
    async (accepted) => {
      const response = await get('/assets/app-abc.js', {'accept-encoding': accepted})
      expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, script])
    },
  )

  test('have the headers a browser heeds on a script, none that only documents have (R08), and no tag: their names have one', async () => {
    const {headers} = await get('/assets/app-abc.js')
    expect([...headers.keys()].toSorted()).toEqual([
      'cache-control',
      'content-length',
      'content-type',
      'cross-origin-resource-policy',
      'referrer-policy',
      'vary',
      'x-content-type-options',
    ])
    const icon = await get('/favicon.svg')
    expect(icon.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(icon.headers.get('permissions-policy')).toContain('camera=()')
  })

  test('other files are asked for again, and 304 when they are the same', async () => {
    const first = await get('/favicon.svg')
    expect([first.headers.get('cache-control'), first.headers.get('content-type')]).toEqual([
      'no-cache',
      'image/svg+xml; charset=utf-8',
    ])
    const etag = first.headers.get('etag') ?? ''
    const again = await get('/favicon.svg', {'if-none-match': `"other", W/${etag}`})
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await get('/favicon.svg', {'if-none-match': '"other"'})).status).toBe(200)
  })

  test('each coding has an ETag of its own', async () => {
    const tags = await Promise.all(
      ['br', ''].map(async (accepted) =>
        (await get('/favicon.svg', {'accept-encoding': accepted})).headers.get('etag'),
      ),
    )
    expect(new Set(tags).size).toBe(2)
    expect(tags).not.toContain(null)
  })

  test('the service worker is asked for again, and its policy lets it fetch its own origin alone', async () => {
    const {headers} = await get('/sw.js')
    expect([headers.get('cache-control'), headers.get('content-security-policy')]).toEqual([
      'no-cache',
      "default-src 'none'; connect-src 'self'",
    ])
  })

  test('the manifest names the site, in the language and theme of who asks', async () => {
    const read = async (headers: Record<string, string> = {}) =>
      (await (await get('/manifest.webmanifest', headers)).json()) as Record<string, unknown>
    const siteOrigin = await placeholderOrigin(client.server.deps)
    expect(await read()).toMatchObject({name: 'Atrium', lang: 'en', dir: 'ltr', theme_color: '#0a0b0c', start_url: '/'})
    const shortcuts = async (headers?: Record<string, string>) =>
      // as: the manifest of this server
      ((await read(headers)).shortcuts as {name: string; url: string}[]).map(({name, url}) => [name, url])
    expect(await shortcuts()).toEqual([
      ['New chat', '/chatgpt/conversations'],
      ['Image', '/midjourney'],
      ['Video', '/luma'],
      ['Music', '/suno'],
    ])
    const sharedWith = async () => (await read()).share_target
    const enctype = 'application/x-www-form-urlencoded'
    const params = {title: 'shared-title', text: 'shared-text', url: 'shared-url'}
    expect(await sharedWith()).toEqual({action: '/chatgpt/conversations', method: 'GET', enctype, params})
    // without the soft hyphen of the rail, which a launcher may show
    expect(await shortcuts({cookie: 'LOCALE=ru'})).toContainEqual(['Изображения', '/midjourney'])
    await client.server.deps.database.asSystem((transaction) =>
      transaction.insert(sites).values({
        id: randomUUID(),
        origin: siteOrigin,
        title: 'Studio <Nord>',
        favicon: '/services/platform/api/v1/files/foo.png',
        features: {deepseek: {enabled: true}, kling: {enabled: true}, suno: {enabled: false}},
        createdAt: new Date(0),
        updatedAt: new Date(0),
      }),
    )
    client.server.advance(5_000)
    const named = await read({cookie: 'LOCALE=ar; THEME=light'})
    expect(named).toMatchObject({name: 'Studio <Nord>', lang: 'ar', dir: 'rtl', theme_color: '#f7f8f9'})
    expect(await shortcuts({cookie: 'LOCALE=de'})).toEqual([
      ['Neuer Chat', '/deepseek/conversations'],
      ['Video', '/kling'],
    ])
    expect(await sharedWith()).toEqual({action: '/deepseek/conversations', method: 'GET', enctype, params})
    expect(named.icons).toEqual(
      expect.arrayContaining([
        {src: '/services/platform/api/v1/files/foo.png', sizes: 'any'},
        {src: '/icon-192.png', sizes: '192x192', type: 'image/png'},
      ]),
    )
    const response = await get('/manifest.webmanifest')
    expect([response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      'application/manifest+json',
      'no-cache',
    ])
    expect((await client.server.call('HEAD', '/manifest.webmanifest')).status).toBe(200)
  })

  test('a folder without a page is no client', () => expect(openStaticFiles(tmpdir())).toBeUndefined())
})
