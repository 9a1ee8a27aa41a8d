import {describe, expect, test, vi} from 'vitest'
import {createOrdersApi} from '#api/orders.ts'
import {createFakeFetch, json} from './fake-fetch.ts'

const setUp = (answer: Response) => {
  const fake = createFakeFetch(answer)
  const onUnauthorized = vi.fn()
  const orders = createOrdersApi({
    fetch: fake.fetch,
    baseUrl: 'https://platform.test',
    headers: () => ({authorization: 'Bearer foo'}),
    log: () => undefined,
    onUnauthorized,
    sleep: async () => undefined,
  })
  return {...fake, orders, onUnauthorized}
}

const one = () => json({id: 'a', state: 'Pending'})
const id = crypto.randomUUID()

const calls: [
  (api: ReturnType<typeof createOrdersApi>) => Promise<unknown>,
  method: string,
  path: string,
  body: unknown,
  answer: Response,
][] = [
  [
    (api) => api.list({limit: 10, offset: 20, ordering: '-created_at', state: ['Pending', 'Failed']}),
    'GET',
    '/orders/?limit=10&offset=20&ordering=-created_at&state=Pending&state=Failed',
    undefined,
    json({count: 0, items: []}),
  ],
  [(api) => api.get('a/b'), 'GET', '/orders/a%2Fb', undefined, one()],
  [
    (api) => api.create({application_id: id, amount: 100, description: 'foo'}),
    'POST',
    '/orders/',
    {application_id: id, amount: 100, description: 'foo'},
    one(),
  ],
  [
    (api) => api.create({application_ids: [id], package_ids: [id]}),
    'POST',
    '/orders/',
    {application_ids: [id], package_ids: [id]},
    one(),
  ],
  [(api) => api.refresh('a'), 'POST', '/orders/a/refresh/', undefined, one()],
  [(api) => api.pay('a', {pay_way: 'Stripe'}), 'POST', '/orders/a/pay/', {pay_way: 'Stripe'}, one()],
  [(api) => api.remove('a'), 'DELETE', '/orders/a', undefined, new Response(null, {status: 204})],
]

test.each(calls)('%s', async (call, method, path, body, answer) => {
  const {orders, seen} = setUp(answer)
  await call(orders)
  const url = `https://platform.test/api/v1${path}`
  expect(seen).toEqual([expect.objectContaining({method, url, body})])
})

test('the key of an intent goes out as a header', async () => {
  const {orders, seen} = setUp(one())
  await orders.create({application_id: id, amount: 1}, {key: 'bar'})
  expect(seen[0]?.headers['idempotency-key']).toBe('bar')
})

test('a 401 is reported with the token that was sent', async () => {
  const {orders, onUnauthorized} = setUp(json({code: 'invalid_token'}, 401))
  await expect(orders.get('a')).rejects.toHaveProperty('status', 401)
  expect(onUnauthorized).toHaveBeenCalledWith({bearer: 'foo'})
})

describe('answers of other servers', () => {
  test('an order of a foreign server is read without our extensions', async () => {
    const {orders} = setUp(
      json({
        id: 'a',
        state: 'Paid',
        price: '9.90',
        amount: 100,
        pay_way: 'AliPay',
        pay_url: null,
        application: {id: 'b', packages: 'mystery'},
        mystery: 1,
      }),
    )
    expect(await orders.get('a')).toEqual({
      id: 'a',
      state: 'Paid',
      price: 9.9,
      amount: 100,
      pay_way: 'AliPay',
      pay_url: null,
      application: {id: 'b'},
    })
  })

  test.each([
    ['Refunded', 'Refunded'],
    ['Mystery', undefined],
  ])('the state %s is read as %s', async (state, expected) => {
    const {orders} = setUp(json({id: 'a', state}))
    expect((await orders.get('a')).state).toBe(expected)
  })
})
