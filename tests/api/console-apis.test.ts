import {afterEach, describe, expect, test, vi} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {createAccountApi} from '#api/account.ts'
import {createDistributionApi} from '#api/distribution.ts'
import {managementHeaders} from '#api/management.ts'
import type {ManagementDeps} from '#api/management-calls.ts'
import {createUsageApi} from '#api/usage.ts'
import {timersOf} from '#tests/timers-of.ts'
import {createBody, createFakeFetch, json, silence} from './fake-fetch.ts'

/* The clients that the console, the referral programme and the profile load. */

const setUp = (...answers: Parameters<typeof createFakeFetch>) => {
  const fake = createFakeFetch(...answers)
  const onUnauthorized = vi.fn()
  const deps: ManagementDeps = {
    fetch: fake.fetch,
    baseUrl: 'https://platform.test',
    headers: () => managementHeaders({accessToken: 'foo'}),
    log: () => undefined,
    onUnauthorized,
    sleep: async () => undefined,
  }
  const apis = {usage: createUsageApi(deps), distribution: createDistributionApi(deps), account: createAccountApi(deps)}
  return {...fake, ...apis, onUnauthorized}
}
type Apis = ReturnType<typeof setUp>

const page = json({count: 0, items: []})
const nothing = new Response(null, {status: 204})
const sum = {count: 1, deducted_amount: '0.100000'}
const totals = {total: sum, by_status: [], by_api: [], by_time: [], time_zone: 'UTC', step: 'day'}
const status = {id: 'a', price: 1, reward: 0.1}

const calls: [(apis: Apis) => Promise<unknown>, method: string, path: string, body: unknown, answer: Response][] = [
  [
    ({usage}) => usage.list({limit: 15, offset: 0, ordering: '-created_at', application_id: 'a', api_id: ['b', 'c']}),
    'GET',
    '/usage/apis/?limit=15&offset=0&ordering=-created_at&application_id=a&api_id=b&api_id=c',
    undefined,
    page,
  ],
  [({usage}) => usage.get('a/b'), 'GET', '/usage/apis/a%2Fb', undefined, json({id: 'a'})],
  [
    ({usage}) => usage.totals({created_at_min: '2026-01-01T00:00:00Z', step: 'hour', time_zone: 'Asia/Kolkata'}),
    'GET',
    '/usage/totals?created_at_min=2026-01-01T00%3A00%3A00Z&step=hour&time_zone=Asia%2FKolkata',
    undefined,
    json(totals),
  ],
  [({usage}) => usage.exportRows({api_id: 'a'}), 'GET', '/usage/export?api_id=a', undefined, new Response('id\n')],
  [({usage}) => usage.apis({limit: 100}), 'GET', '/apis/?limit=100', undefined, page],
  [({usage}) => usage.api('a'), 'GET', '/apis/a', undefined, json({id: 'a'})],
  [({usage}) => usage.apisOf('a', {limit: 100}), 'GET', '/services/a/apis/?limit=100', undefined, page],
  [
    ({distribution}) => distribution.initialize(),
    'POST',
    '/distribution-statuses/initialize/',
    undefined,
    json(status),
  ],
  [
    ({distribution}) => distribution.statuses({user_id: 'a'}),
    'GET',
    '/distribution-statuses/?user_id=a',
    undefined,
    page,
  ],
  [
    ({distribution}) => distribution.levels({limit: 20, ordering: 'level'}),
    'GET',
    '/distribution-levels/?limit=20&ordering=level',
    undefined,
    page,
  ],
  [
    ({distribution}) => distribution.histories({limit: 10, offset: 10, ordering: '-created_at'}),
    'GET',
    '/distribution-histories/?limit=10&offset=10&ordering=-created_at',
    undefined,
    page,
  ],
  [
    ({distribution}) => distribution.shortLink('https://hub.test/?inviter_id=a'),
    'POST',
    '/shorturl',
    {content: 'https://hub.test/?inviter_id=a'},
    json({data: {url: 'https://hub.test/s/b'}}),
  ],
  [
    ({account}) => account.changePassword({current_password: 'foo', new_password: 'bar'}),
    'POST',
    '/users/me/password',
    {current_password: 'foo', new_password: 'bar'},
    nothing,
  ],
  [({account}) => account.sessions({limit: 10}), 'GET', '/users/me/sessions?limit=10', undefined, page],
  [({account}) => account.endSession('a'), 'DELETE', '/users/me/sessions/a', undefined, nothing],
  [({account}) => account.exportData(), 'GET', '/users/me/export', undefined, new Response('PK')],
  [({account}) => account.remove({password: 'foo'}), 'POST', '/users/me/delete', {password: 'foo'}, nothing],
]

test.each(calls.map(([call, method, path, ...rest]) => ({name: `${method} ${path}`, call, method, path, rest})))(
  '$name',
  async ({call, method, path, rest: [body, answer]}) => {
    const apis = setUp(answer)
    await call(apis)
    expect(apis.seen).toHaveLength(1)
    expect(apis.seen[0]).toMatchObject({
      method,
      url: `https://platform.test/api/v1${path}`,
      headers: {authorization: 'Bearer foo'},
    })
    expect(apis.seen[0]?.body).toEqual(body)
  },
)

test('a short link is the address alone', async () => {
  const {distribution} = setUp(json({data: {url: 'https://hub.test/s/b'}}))
  expect(await distribution.shortLink('https://hub.test/?inviter_id=a')).toBe('https://hub.test/s/b')
})

test.each([
  ['https://surl.id/b?c=d', 'https://share.acedata.cloud/b?c=d'],
  ['https://surl.id', 'https://share.acedata.cloud'],
  ['https://surl.id.example/b', 'https://surl.id.example/b'],
  ['https://hub.test/s/surl.id', 'https://hub.test/s/surl.id'],
])('the short link %s is shared as %s', async (url, shared) => {
  const {distribution} = setUp(json({data: {url}}))
  expect(await distribution.shortLink('https://hub.test/')).toBe(shared)
})

test('sums that are no exact decimals are refused, not rounded', async () => {
  const {usage} = setUp(json({...totals, total: {count: 1, deducted_amount: 0.1}}))
  await expect(usage.totals({})).rejects.toHaveProperty('code', 'unknown')
})

describe('a download', () => {
  afterEach(() => void vi.useRealTimers())

  test('is a file with the name that the server gave it', async () => {
    const {usage} = setUp(
      new Response('id\na\n', {
        headers: {'content-type': 'text/csv', 'content-disposition': 'attachment; filename="usage-2026.csv"'},
      }),
    )
    const {blob, name} = await usage.exportRows({})
    expect([await blob.text(), blob.type, name]).toEqual(['id\na\n', 'text/csv', 'usage-2026.csv'])
  })

  test.each(['attachment; filename="../../foo.csv"', 'attachment', 'attachment; filename=""'])(
    'has its usual name where the server says %s',
    async (disposition) => {
      const {usage} = setUp(new Response('', {headers: {'content-disposition': disposition}}))
      expect((await usage.exportRows({})).name).toBe('usage.csv')
    },
  )

  test('that is refused says why; a 401 is reported with its token', async () => {
    const {account, onUnauthorized} = setUp(
      json({code: 'too_many_requests', detail: 'foo'}, 429, {'retry-after': '90'}),
    )
    const refusal = {status: 429, code: 'too_many_requests', detail: 'foo', retryAfterSeconds: 90}
    await expect(account.exportData()).rejects.toEqual(new ApiError(refusal))
    expect(onUnauthorized).not.toHaveBeenCalled()
    const second = setUp(json({code: 'invalid_token'}, 401))
    await expect(second.account.exportData()).rejects.toHaveProperty('status', 401)
    expect(second.onUnauthorized.mock.calls).toEqual([[{bearer: 'foo'}]])
  })

  test('whose connection breaks is lost', async () => {
    const body = createBody('text/csv')
    const {usage} = setUp(body.response)
    const whole = usage.exportRows({})
    body.write('id\n')
    body.break(new TypeError('terminated'))
    await expect(whole).rejects.toHaveProperty('lost', true)
  })

  test('lasts as long as bytes arrive, and ends when none do for a minute', async () => {
    vi.useFakeTimers()
    const ownTimers = timersOf('src/api/download.ts')
    const body = createBody('text/csv')
    const {usage} = setUp(({signal}) => {
      signal?.addEventListener('abort', () => body.break(signal.reason as Error))
      return body.response
    })
    const whole = usage.exportRows({})
    const end = expect(whole).rejects.toMatchObject({code: 'timeout', lost: true})
    for (let piece = 0; piece < 5; piece += 1) {
      await vi.advanceTimersByTimeAsync(50_000)
      body.write('a\n')
      await vi.advanceTimersByTimeAsync(0)
    }
    await vi.advanceTimersByTimeAsync(59_000)
    expect(ownTimers()).toBe(1)
    await vi.advanceTimersByTimeAsync(1_500)
    await end
    expect(ownTimers()).toBe(0)
  })

  test('that the user gives up ends as canceled', async () => {
    const controller = new AbortController()
    const {account} = setUp(silence)
    const whole = account.exportData(controller.signal)
    controller.abort()
    await expect(whole).rejects.toHaveProperty('code', 'canceled')
  })
})

test('a time zone that the server does not know is asked for as UTC, which the answer says', async () => {
  const refusal = (field: string) => json({code: 'bad_request', detail: 'foo', field}, 400)
  const {usage, seen} = setUp(refusal('time_zone'), json(totals), refusal('created_at_min'))
  expect(await usage.totals({time_zone: 'America/Coyhaique'})).toEqual({
    total: {count: 1, deducted_amount: '0.100000'},
    by_status: [],
    by_api: [],
    time_zone: 'UTC',
    step: 'day',
    by_time: [],
  })
  await expect(usage.totals({time_zone: 'America/Coyhaique'})).rejects.toHaveProperty('field', 'created_at_min')
  expect(seen.map(({url}) => new URL(url).searchParams.get('time_zone'))).toEqual([
    'America/Coyhaique',
    'UTC',
    'America/Coyhaique',
  ])
})
