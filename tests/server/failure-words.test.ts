import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {z} from '#contract/schema.ts'
import {locales} from '#domain/locale.ts'
import {createFollowWriter} from '#server/ai/answers/answer-frames.ts'
import {readFilePart} from '#server/files/multipart.ts'
import {HttpFailure, say, type FailureId} from '#server/http/failure.ts'
import {loadLanguage} from '#server/http/language.ts'
import {route, type Route} from '#server/http/route.ts'
import {readLocale} from '#tools/locales.mjs'
import {files, read} from '../source-files.ts'
import {createTestServer, testOrigin, type TestServer} from './harness.ts'

const platform = '/services/platform/api/v1'
const notes = z.strictObject({text: z.string().check(z.maxLength(5)), size: z.optional(z.enum(['s', 'l']))})

const routes: Route[] = [
  route({
    service: 'platform',
    method: 'POST',
    path: '/api/v1/notes',
    policy: 'public',
    body: notes,
    handle: () => Response.json(null),
  }),
  route({
    service: 'platform',
    method: 'POST',
    path: '/api/v1/upload',
    policy: 'public',
    accepts: 'multipart',
    handle: async ({context}) => {
      const {raw} = context.req
      await readFilePart(raw.body, raw.headers.get('content-type') ?? '')
      return Response.json(null)
    },
  }),
  route({
    service: 'platform',
    method: 'GET',
    path: '/api/v1/upstream',
    policy: 'public',
    handle: () => {
      throw new HttpFailure(502, 'api_error', {text: 'Exploded'})
    },
  }),
  route({
    service: 'platform',
    method: 'POST',
    path: '/api/v1/login',
    policy: 'public',
    limit: 'login',
    handle: () => Response.json(null),
  }),
  route({
    service: 'api',
    method: 'POST',
    path: '/notes',
    policy: 'public',
    body: notes,
    handle: () => Response.json(null),
  }),
]

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({routes: () => routes, config: {limitFactor: 0.25}})
})
afterAll(() => server.close())

const german = {'accept-language': 'de-AT, en;q=0.5'}
const get = (path: string, headers: Record<string, string>) => server.handle(new Request(testOrigin + path, {headers}))
const post = (path: string, body: string, headers: Record<string, string> = german) =>
  server.handle(
    new Request(testOrigin + path, {method: 'POST', body, headers: {'content-type': 'application/json', ...headers}}),
  )

describe('a refusal speaks the language of the request', () => {
  test('404, also where nothing but the page could be', async () => {
    for (const path of [`${platform}/none`, '/none.json']) {
      const response = await get(path, german)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-language')).toBe('de')
      expect(await response.json()).toEqual({code: 'not_found', detail: 'Unter dieser Adresse ist nichts.'})
    }
  })

  test.each([
    ['{}', 'text', 'text fehlt.'],
    ['{"text":7}', 'text', 'text muss ein Text sein.'],
    ['{"text":"longer"}', 'text', 'text darf höchstens 5 Zeichen lang sein.'],
    ['{"text":"a","size":"m"}', 'size', 'size muss einer dieser Werte sein: s, l.'],
    ['{"text":"a","foo":1}', 'foo', 'Der Inhalt der Anfrage hat einen unbekannten Schlüssel: foo.'],
    ['[]', undefined, 'Der Inhalt der Anfrage muss ein Objekt sein.'],
    ['{', undefined, 'Der Inhalt der Anfrage ist kein gültiges JSON.'],
  ])('400 with its field as it is on the wire: %s', async (body, field, detail) => {
    const response = await post(`${platform}/notes`, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({code: 'bad_request', detail, ...(field === undefined ? {} : {field})})
  })

  test('on the AI host in its own form', async () => {
    const body: unknown = await (await post('/services/api/notes', '{}')).json()
    expect(body).toEqual({
      error: {code: 'bad_request', message: 'text fehlt.', field: 'text'},
      trace_id: expect.any(String),
      success: false,
    })
  })

  test('413 with the number as the language writes it', async () => {
    const response = await post(`${platform}/notes`, JSON.stringify({text: 'a'.repeat(1_048_576)}))
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual({
      detail: 'Der Inhalt der Anfrage darf höchstens 1.048.576 Byte groß sein.',
      code: 'content_too_large',
    })
  })

  test('429', async () => {
    for (let call = 0; call < 10; call += 1) await post(`${platform}/login`, '')
    const response = await post(`${platform}/login`, '')
    expect(response.status).toBe(429)
    expect(await response.json()).toEqual({
      detail: expect.stringMatching(/^Zu viele Anfragen\. Versuche es in \d+ s /),
      code: 'too_many_requests',
    })
  })

  test('an upload', async () => {
    const headers = {...german, 'content-type': 'multipart/form-data; boundary=foo'}
    const response = await post(`${platform}/upload`, '--foo--\r\n', headers)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      detail: 'Zum Hochladen gehört genau ein Teil namens file.',
      code: 'bad_request',
      field: 'file',
    })
  })

  test('the cookie of the page goes before what the browser asks for, and an address before both', async () => {
    const cookie = {...german, cookie: 'THEME=dark; LOCALE=fr'}
    expect(await (await get(`${platform}/none`, cookie)).json()).toEqual({
      detail: 'Il n’y a rien à cette adresse.',
      code: 'not_found',
    })
    expect((await get(`${platform}/none?lang=ja`, cookie)).headers.get('content-language')).toBe('ja')
  })

  const odd: Record<string, string>[] = [
    {},
    {'accept-language': 'tlh, *;q=0.1'},
    {'accept-language': '__proto__, constructor;q=9'},
    {cookie: 'LOCALE=%00'},
    {'accept-language': `${'x,'.repeat(51_200)}de`},
  ]
  test.each(odd)('what names no language of ours is English: #%#', async (headers) => {
    const response = await get(`${platform}/none`, headers)
    expect(response.headers.get('content-language')).toBe('en')
    expect(await response.json()).toEqual({detail: 'There is nothing at this address.', code: 'not_found'})
  })

  test('the words of another server stay as they are and are said to be in no language', async () => {
    const response = await get(`${platform}/upstream`, german)
    expect(response.headers.get('content-language')).toBeNull()
    expect(await response.json()).toEqual({detail: 'Exploded', code: 'api_error'})
  })
})

test('an answer that cannot be followed is told in the language of its follower', async () => {
  const intl = await loadLanguage('de')
  const write = createFollowWriter('ndjson', (id) => say(intl, id))
  expect(JSON.parse(write({gone: {id: 'c-1', message: 'm-1', attempt: 1, last_seq: 0}}))).toEqual({
    error: {code: 'not_found', message: expect.stringContaining('lässt sich nicht folgen')},
    id: 'c-1',
    message: 'm-1',
    attempt: 1,
    seq: 0,
    state: 'failed',
  })
})

test('the log has a refusal in English', () => {
  const failure = new HttpFailure(400, 'bad_request', 'bodyTooDeep', {values: {most: 64}})
  expect(failure.message).toBe('bad_request - The body is nested deeper than 64 levels.')
})

/** Keys of the messages, with the values that each names beside its field. */
const english = Object.entries(readLocale('en')).flatMap(([id, message]) =>
  id.startsWith('failure.')
    ? [
        {
          key: id.slice('failure.'.length),
          values: [
            ...new Set([...message.matchAll(/\{(\w+)(?=\}|, (?:number|plural|select))/g)].map(([, name = '']) => name)),
          ],
        },
      ]
    : [],
)

test.each(locales)('%s says every refusal', async (locale) => {
  const intl = await loadLanguage(locale)
  for (const {key, values} of english)
    // as: the keys are those of the file whose type FailureId is
    expect(say(intl, key as FailureId, Object.fromEntries(values.map((name) => [name, 3])))).not.toMatch(/[{}]/)
})

test('every message is used, and with what it names', () => {
  const sources = files.filter((file) => /^src\/(server|contract)\//.test(file)).map(read)
  // put together of parts there, and tested with it (parse.test.ts)
  const composed = /^(body|query)(Invalid|UnknownKey)$|^field(Least|Most)|^fieldType$|^fieldMissing/
  const wrong = english.flatMap(({key, values}) => {
    if (composed.test(key)) return []
    const uses = sources.flatMap((source) => source.split(`'${key}'`).slice(1))
    const named = values.filter((name) => name !== 'field')
    const bare = uses.filter((after) => !named.every((name) => new RegExp(`\\b${name}\\b`).test(after.slice(0, 120))))
    return uses.length === 0 ? [`${key}: not used`] : bare.map(() => `${key} needs ${named.join(', ')}`)
  })
  expect(wrong).toEqual([])
})
