import {describe, expect, test, vi} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {managementHeaders} from '#api/management.ts'
import {createFakeFetch, json} from './fake-fetch.ts'
import {createWholeManagement} from './whole-management.ts'

const setUp = (...answers: Parameters<typeof createFakeFetch>) => {
  const fake = createFakeFetch(...answers)
  const onUnauthorized = vi.fn()
  const management = createWholeManagement({
    fetch: fake.fetch,
    baseUrl: 'https://platform.test',
    headers: () => managementHeaders({accessToken: 'foo', language: 'de', fingerprint: 'bar', userId: 'u-1'}),
    log: () => undefined,
    onUnauthorized,
    sleep: async () => undefined,
  })
  return {...fake, management, onUnauthorized}
}

const page = json({count: 0, items: []})
const one = json({id: 'a'})
const nothing = new Response(null, {status: 204})

/** Every call of spec §7's management table, and ours. */
const calls: [
  (api: ReturnType<typeof setUp>['management']) => Promise<unknown>,
  method: string,
  path: string,
  body: unknown,
  answer: Response,
][] = [
  [
    ({applications}) =>
      applications.list({
        limit: 100,
        offset: 0,
        user_id: 'u-1',
        ordering: '-created_at',
        type: 'Usage',
        scope: 'Global',
      }),
    'GET',
    '/applications/?limit=100&offset=0&user_id=u-1&ordering=-created_at&type=Usage&scope=Global',
    undefined,
    page,
  ],
  [
    ({applications}) => applications.list({service_id: ['a', 'b']}),
    'GET',
    '/applications/?service_id=a&service_id=b',
    undefined,
    page,
  ],
  [({applications}) => applications.get('a'), 'GET', '/applications/a', undefined, one],
  [
    ({applications}) => applications.create({type: 'Usage', scope: 'Global', user_id: 'u-1'}),
    'POST',
    '/applications/',
    {type: 'Usage', scope: 'Global', user_id: 'u-1'},
    one,
  ],
  [({applications}) => applications.update('a', {foo: 1}), 'PUT', '/applications/a', {foo: 1}, one],
  [({applications}) => applications.remove('a'), 'DELETE', '/applications/a', undefined, nothing],
  [({services}) => services.list({id: ['a', 'b']}), 'GET', '/services/?id=a&id=b', undefined, page],
  [({services}) => services.get('a'), 'GET', '/services/a', undefined, one],
  [({services}) => services.create({title: 'foo'}), 'POST', '/services/', {title: 'foo'}, one],
  [({services}) => services.update('a', {title: 'foo'}), 'PUT', '/services/a', {title: 'foo'}, one],
  [({services}) => services.remove('a'), 'DELETE', '/services/a', undefined, nothing],
  [
    ({credentials}) => credentials.list({application_id: 'a'}),
    'GET',
    '/credentials/?application_id=a',
    undefined,
    page,
  ],
  [({credentials}) => credentials.get('a'), 'GET', '/credentials/a', undefined, one],
  [
    ({credentials}) => credentials.create({application_id: 'a', host: 'https://foo.test'}),
    'POST',
    '/credentials/',
    {application_id: 'a', host: 'https://foo.test'},
    one,
  ],
  [({credentials}) => credentials.remove('a'), 'DELETE', '/credentials/a', undefined, nothing],
  [({sites}) => sites.initialize('https://foo.test'), 'POST', '/sites/initialize/', {origin: 'https://foo.test'}, one],
  [
    ({sites}) => sites.list({origin: 'https://foo.test', limit: 1}),
    'GET',
    '/sites/?origin=https%3A%2F%2Ffoo.test&limit=1',
    undefined,
    page,
  ],
  [({sites}) => sites.get('a'), 'GET', '/sites/a', undefined, one],
  [({sites}) => sites.create({title: 'foo'}), 'POST', '/sites/', {title: 'foo'}, one],
  [({sites}) => sites.update('a', {id: 'a', title: 'foo'}), 'PUT', '/sites/a', {id: 'a', title: 'foo'}, one],
  [({users}) => users.me(), 'GET', '/users/me', undefined, one],
  [({users}) => users.updateMe({nickname: 'foo'}), 'PUT', '/users/me', {nickname: 'foo'}, one],
  [
    ({users}) => users.invitees({limit: 10, offset: 10, ordering: '-created_at'}),
    'GET',
    '/users/me/invitees?limit=10&offset=10&ordering=-created_at',
    undefined,
    page,
  ],
  [({users}) => users.verification(), 'GET', '/users/verify', undefined, json({verified: true})],
  [({users}) => users.verify('foo'), 'PUT', '/users/verify', {code: 'foo'}, json({verified: true})],
  [
    (api) => api.exchangeRate('usd', 'eur'),
    'POST',
    '/exchange-rate',
    {source: 'usd', target: 'eur'},
    json({rate: 0.9}),
  ],
  [(api) => api.runningTasks(), 'GET', '/tasks/running', undefined, json({items: []})],
]

test.each(calls.map(([call, method, path, ...rest]) => ({name: `${method} ${path}`, call, method, path, rest})))(
  '$name',
  async ({call, method, path, rest: [body, answer]}) => {
    const {management, seen} = setUp(answer)
    await call(management)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      method,
      url: `https://platform.test/api/v1${path}`,
      headers: {authorization: 'Bearer foo', 'accept-language': 'de', 'x-fingerprint': 'bar', 'x-user-id': 'u-1'},
    })
    expect(seen[0]?.body).toEqual(body)
  },
)

test('what is deleted or revoked is, although the page is left at once', async () => {
  const {management, seen} = setUp(nothing, page)
  await management.credentials.remove('a')
  await management.sites.list({limit: 1})
  expect(seen.map(({keepalive}) => keepalive)).toEqual([true, false])
})

test('an id is one piece of the path', async () => {
  const {management, seen} = setUp(one)
  await management.services.get('../users/me?a')
  expect(seen[0]?.url).toBe('https://platform.test/api/v1/services/..%2Fusers%2Fme%3Fa')
})

test('only what is known becomes a header', () => {
  expect(managementHeaders({})).toEqual({})
  expect(managementHeaders({accessToken: '', language: 'de'})).toEqual({'accept-language': 'de'})
})

test('the first site of an origin, or none', async () => {
  const {management} = setUp(json({count: 2, items: [{id: 'a'}, {id: 'b'}]}), page)
  expect(await management.sites.findByOrigin('https://foo.test')).toEqual({id: 'a'})
  expect(await management.sites.findByOrigin('https://foo.test')).toBeUndefined()
})

test('decimal text and null are read', async () => {
  const {management} = setUp(json({id: 'a', remaining_amount: '1.500000', expired_at: null, unknown: 1}))
  expect(await management.applications.get('a')).toEqual({id: 'a', remaining_amount: 1.5, expired_at: null})
})

describe('401', () => {
  test('is reported with the token it was about, and rejects', async () => {
    const {management, onUnauthorized} = setUp(json({code: 'invalid_token'}, 401))
    await expect(management.users.me()).rejects.toEqual(
      new ApiError({code: 'invalid_token', detail: 'An error occurred', status: 401}),
    )
    expect(onUnauthorized.mock.calls).toEqual([[{bearer: 'foo'}]])
  })

  test.each([[json({}, 403)], [json({}, 500)], [new TypeError('fetch failed')]])('nothing else is', async (answer) => {
    const {management, onUnauthorized} = setUp(answer)
    await expect(management.users.me()).rejects.toThrow()
    expect(onUnauthorized).not.toHaveBeenCalled()
  })
})
