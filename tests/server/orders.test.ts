import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {finishOrderByHand, listOrders} from '#server/admin/orders.ts'
import {order as orderSchema} from '#contract/orders.ts'
import {chatServiceId} from '#contract/chat.ts'
import {priceOfCredits} from '#server/orders/prices.ts'
import {testOrigin, type TestServer} from './harness.ts'
import {bought, createBuyer, createShop, offers, press} from './orders.fixtures.ts'

let shop: Awaited<ReturnType<typeof createShop>>
let server: TestServer
beforeAll(async () => {
  shop = await createShop()
  server = shop.server
  await server.createUser() // the operator
})
afterAll(() => server.close())

describe('packages', () => {
  test('an application and a service carry what can be bought for them', async () => {
    const buyer = await createBuyer(server)
    expect(buyer.packages).toEqual([
      {id: expect.any(String), type: 'Usage', amount: 5, price: 0},
      {id: expect.any(String), type: 'Usage', amount: 100, price: 9.9},
      {id: expect.any(String), type: 'Usage', amount: 500, price: 45},
      {id: expect.any(String), type: 'Period', amount: 120, price: 9.9, duration: 604_800},
      {id: expect.any(String), type: 'Period', amount: 600, price: 39, duration: 2_592_000},
      {id: expect.any(String), type: 'Period', amount: 8000, price: 390, duration: 31_536_000, recommended: true},
    ])
    const {body: service} = await buyer.send('GET', `/services/${chatServiceId}`)
    expect(service.packages.map(({amount}: {amount: number}) => amount)).toEqual([100, 500])
    const {body: own} = await buyer.send('POST', '/applications/', {type: 'Usage', service_id: chatServiceId})
    expect(own.packages).toEqual(service.packages)
    expect(buyer.packages.map(({id}) => id)).not.toContain(service.packages[0].id)
  })

  test.each([
    [1, 10],
    [10, 99],
    [99, 981],
    [100, 990],
    [454, 4495],
    [455, 4500],
    [500, 4500],
    [501, 4509],
    [1_000_000, 9_000_000],
  ])('%i credits cost %i cents', (amount, cents) => {
    const priced = offers.map((offer, index) => ({...offer, id: String(index)}))
    expect(priceOfCredits(amount, priced)).toBe(cents)
  })

  test('a larger amount is never cheaper, and where nothing is sold nothing has a price', () => {
    const priced = offers.map((offer, index) => ({...offer, id: String(index)}))
    const prices = Array.from({length: 1200}, (_, index) => priceOfCredits(index + 1, priced) ?? 0)
    expect(prices.every((price, index) => index === 0 || price >= (prices[index - 1] ?? 0))).toBe(true)
    expect(priceOfCredits(10, priced.slice(0, 1))).toBeUndefined()
  })
})

describe('a top-up', () => {
  test('is made, paid on the page of the simulation and booked', async () => {
    const buyer = await createBuyer(server)
    const {status, body: made} = await buyer.order({
      application_id: buyer.application.id,
      package_id: buyer.packageOf('Usage', 100),
      description: 'Hundred',
    })
    expect(status).toBe(201)
    expect(made).toMatchObject({
      state: 'Pending',
      price: 9.9,
      amount: 100,
      description: 'Hundred',
      application_id: buyer.application.id,
      application_ids: [buyer.application.id],
      package_ids: [buyer.packageOf('Usage', 100)],
      pay_ways: ['Sandbox'],
      application: {id: buyer.application.id, remaining_amount: 10},
    })
    expect(made).not.toHaveProperty('pay_url')
    expect(made.application).not.toHaveProperty('credentials')
    expect(orderSchema.parse(made)).toEqual(made)

    const {body: paying} = await buyer.pay(made.id)
    expect(paying).toMatchObject({state: 'Pending', pay_way: 'Sandbox', pay_url: expect.stringMatching(testOrigin)})
    expect(await bought(buyer)).toBe(0)
    const response = await press(server, paying.pay_url, 'pay')
    expect(response.status).toBe(303)
    // by path alone: a proxy that ends TLS hands on plain http, and a page over https may not lead there after a form
    expect(response.headers.get('location')).toBe(new URL(paying.pay_url).pathname)
    const {body: done} = await buyer.refresh(made.id)
    expect([done.state, done.pay_way, done.pay_ways]).toEqual(['Finished', 'Sandbox', []])
    expect(done).not.toHaveProperty('pay_url')
    expect(done.finished_at >= done.paid_at && done.paid_at >= done.created_at).toBe(true)
    expect(await bought(buyer)).toBe(100)
    expect((await buyer.applicationOf('Usage'))?.remainingAmount).toBe('110.000000')
  })

  test('takes any whole amount at the price of the packages, and no price of the caller', async () => {
    const buyer = await createBuyer(server)
    expect(await buyer.topUp(454)).toMatchObject({price: 44.95, amount: 454, package_ids: []})
    const wrong = [
      {application_id: buyer.application.id, amount: 100, price: 0.01},
      {application_id: buyer.application.id, amount: 0},
      {application_id: buyer.application.id, amount: 1.5},
      {application_id: buyer.application.id, amount: -100},
      {application_id: buyer.application.id},
      {application_id: buyer.application.id, amount: 99, package_id: buyer.packageOf('Usage', 100)},
      {application_ids: [], package_ids: []},
    ]
    for (const body of wrong) expect([body, (await buyer.order(body)).status]).toEqual([body, 400])
  })

  test('a package of another service, or none, is a 404 that names the field', async () => {
    const buyer = await createBuyer(server)
    const {body: service} = await buyer.send('GET', `/services/${chatServiceId}`)
    const answer = await buyer.order({application_id: buyer.application.id, package_id: service.packages[0].id})
    expect(answer).toEqual({
      status: 404,
      body: {code: 'not_found', field: 'package_id', detail: expect.any(String)},
      headers: expect.any(Headers),
    })
  })

  test('the same key is the same order, and another body under it is refused', async () => {
    const buyer = await createBuyer(server)
    const body = {application_id: buyer.application.id, amount: 100}
    const all = await Promise.all([1, 2, 3, 4].map(() => buyer.order(body, {'idempotency-key': 'foo'})))
    expect(new Set(all.map((answer) => answer.body.id)).size).toBe(1)
    expect((await buyer.send('GET', '/orders/')).body.count).toBe(1)
    expect((await buyer.order({...body, amount: 101}, {'idempotency-key': 'foo'})).status).toBe(422)
  })

  test('what is free finishes at once, without a page, and is given once however often it is asked for', async () => {
    const buyer = await createBuyer(server)
    const gift = {application_id: buyer.application.id, package_id: buyer.packageOf('Usage', 5)}
    const answers = await Promise.all([1, 2, 3, 4].map(() => buyer.order(gift)))
    expect(answers.map(({status}) => status).sort()).toEqual([201, 409, 409, 409])
    expect(answers.find(({status}) => status === 409)?.body).toEqual({
      code: 'duplication',
      detail: 'This free package is given once, and you have had it.',
    })
    const twice = [gift.package_id, gift.package_id]
    expect(await buyer.order({application_ids: [buyer.application.id], package_ids: twice})).toEqual({
      status: 409,
      body: {code: 'duplication', detail: 'This free package is given once, and you have had it.'},
      headers: expect.any(Headers),
    })
    const {body = {}} = answers.find(({status}) => status === 201) ?? {}
    expect([body.state, body.price, body.pay_ways]).toEqual(['Finished', 0, []])
    expect(await bought(buyer)).toBe(5)
    expect(await buyer.payments()).toEqual([])
  })
})

describe('the operator', () => {
  test('finishes an order whose money came in another way, once; a payment that still comes goes back', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const {pay_url: url} = (await buyer.pay(id)).body
    const {database, now} = server.deps
    expect(await listOrders(database, buyer.user.user.email, now)).toEqual([
      expect.stringMatching(`^${id} .*Pending.*9.90`),
    ])
    await finishOrderByHand(server.deps, id)
    await expect(finishOrderByHand(server.deps, id)).rejects.toThrow('is finished already')
    await expect(finishOrderByHand(server.deps, crypto.randomUUID())).rejects.toThrow('There is no order')
    await press(server, url, 'pay')
    expect((await buyer.refresh(id)).body.state).toBe('Finished')
    await shop.service.payments.sweep()
    expect(await bought(buyer)).toBe(100)
    expect((await buyer.payments()).map(({state}) => state)).toEqual(['refunded'])
  })
})

describe('the list', () => {
  test('pages, orders and filters', async () => {
    const buyer = await createBuyer(server)
    const ids: string[] = []
    for (const amount of [10, 20, 30]) ids.push((await buyer.topUp(amount)).id)
    const list = async (query: string) => {
      const {body} = await buyer.send('GET', `/orders/?${query}`)
      return {count: body.count, amounts: body.items.map(({amount}: {amount: number}) => amount)}
    }
    expect(await list('ordering=-created_at&limit=2')).toEqual({count: 3, amounts: [30, 20]})
    expect(await list('ordering=-created_at&limit=2&offset=2')).toEqual({count: 3, amounts: [10]})
    expect(await list('ordering=price')).toEqual({count: 3, amounts: [10, 20, 30]})
    expect(await list(`application_id=${buyer.application.id}`)).toEqual({count: 3, amounts: [30, 20, 10]})
    expect(await list('application_id=foo')).toEqual({count: 0, amounts: []})
    expect(await list('state=Finished')).toEqual({count: 0, amounts: []})
    expect(await list(`user_id=${crypto.randomUUID()}`)).toEqual({count: 0, amounts: []})
    expect((await buyer.send('GET', '/orders/?state=Foo')).status).toBe(400)
    expect((await buyer.send('GET', '/orders/?ordering=user_id')).status).toBe(400)
  })

  test('an unpaid order can be removed, a paid one stays', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const {pay_url: url} = (await buyer.pay(id)).body
    expect((await buyer.send('DELETE', `/orders/${id}`)).status).toBe(204)
    expect((await buyer.send('GET', `/orders/${id}`)).status).toBe(404)
    expect((await buyer.send('DELETE', `/orders/${id}`)).status).toBe(404)
    await press(server, url, 'pay')
    expect(await bought(buyer)).toBe(0)

    const {id: paid} = await buyer.topUp()
    await press(server, (await buyer.pay(paid)).body.pay_url, 'pay')
    expect(await buyer.send('DELETE', `/orders/${paid}`)).toEqual({
      status: 409,
      body: {code: 'conflict', detail: 'This order is paid already.'},
      headers: expect.any(Headers),
    })
    expect((await buyer.send('GET', `/orders/${paid}`)).body.state).toBe('Finished')
  })
})
