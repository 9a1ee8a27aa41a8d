import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {finishOrderByHand, listOrders} from '#server/admin/orders.ts'
import {order as orderSchema} from '#contract/orders.ts'
import {chatServiceId} from '#contract/chat.ts'
import {priceOfCredits} from '#server/orders/prices.ts'
import {testOrigin, type TestServer} from './harness.ts'
import {bought, createBuyer, createShop, offers, openPage, press} from './orders.fixtures.ts'

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
    expect(done).toMatchObject({state: 'Finished', pay_way: 'Sandbox', pay_ways: []})
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
    expect(answer).toMatchObject({status: 404, body: {code: 'not_found', field: 'package_id'}})
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
    expect(answers.find(({status}) => status === 409)?.body).toMatchObject({
      code: 'duplication',
      detail: 'This free package is given once, and you have had it.',
    })
    const twice = [gift.package_id, gift.package_id]
    expect(await buyer.order({application_ids: [buyer.application.id], package_ids: twice})).toMatchObject({
      status: 409,
    })
    const {body = {}} = answers.find(({status}) => status === 201) ?? {}
    expect(body).toMatchObject({state: 'Finished', price: 0, pay_ways: []})
    expect(await bought(buyer)).toBe(5)
    expect(await buyer.payments()).toEqual([])
  })
})

describe('a payment', () => {
  test('two tabs get the same page, also at the same time', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => buyer.pay(id)))
    expect(all.map(({status}) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(all.map(({body}) => body.pay_url)).size).toBe(1)
    expect(await buyer.payments()).toHaveLength(1)
  })

  test('pressed many times, in many tabs, while the order is refreshed: credited once', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const {body} = await buyer.pay(id)
    await Promise.all(
      [1, 2, 3, 4, 5, 6].flatMap(() => [press(server, body.pay_url, 'pay'), buyer.refresh(id), buyer.pay(id)]),
    )
    expect(await bought(buyer)).toBe(100)
    expect((await buyer.refresh(id)).body.state).toBe('Finished')
    expect(await buyer.pay(id)).toMatchObject({status: 409, body: {code: 'conflict'}})
  })

  test('declined: the order is Failed, says so, and can be paid again', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const first = (await buyer.pay(id)).body.pay_url
    await press(server, first, 'decline')
    const failed = (await buyer.refresh(id)).body
    expect(failed).toMatchObject({state: 'Failed', pay_ways: ['Sandbox']})
    expect(failed).not.toHaveProperty('pay_url')
    expect(failed).not.toHaveProperty('opened_at')
    expect(failed.failed_at).toBe(failed.updated_at)
    await press(server, first, 'pay')
    expect(await bought(buyer)).toBe(0)
    const second = (await buyer.pay(id)).body
    expect(second).toMatchObject({state: 'Failed', pay_url: expect.not.stringMatching(first)})
    const open = (await buyer.payments()).find(({state}) => state === 'open')
    expect([second.failed_at, second.opened_at]).toEqual([failed.failed_at, open?.createdAt.toISOString()])
    await press(server, second.pay_url, 'pay')
    expect((await buyer.refresh(id)).body.state).toBe('Finished')
    expect(await bought(buyer)).toBe(100)
  })

  test('that runs out ends the order', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const {pay_url: url} = (await buyer.pay(id)).body
    await press(server, url, 'expire')
    const {body: over} = await buyer.refresh(id)
    // long before its time
    expect([over.state, over.expired_at]).toEqual(['Expired', over.updated_at])
    expect((await openPage(server, url)).text).toContain('This payment can no longer be made.')
    expect(await buyer.pay(id)).toMatchObject({status: 409, body: {code: 'conflict'}})
  })

  test('names its price from left to right in Arabic too', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const {pay_url: url} = (await buyer.pay(id)).body
    const {text} = await openPage(server, url, {'accept-language': 'ar'})
    expect(text).toMatch(/ادفع \u2066\$\d+\.\d\d\u2069/)
  })

  test('whose order expires while its page is open takes no payment any more', async () => {
    const {server: clock} = await createShop({orderMinutes: 5})
    try {
      const buyer = await createBuyer(clock)
      const {id} = await buyer.topUp()
      const {pay_url: url} = (await buyer.pay(id)).body
      clock.advance(5 * 60_000)
      expect((await press(clock, url, 'pay')).status).toBe(303)
      expect((await openPage(clock, url)).text).toContain('This payment can no longer be made.')
      expect((await buyer.refresh(id)).body.state).toBe('Expired')
      expect(await bought(buyer)).toBe(0)
    } finally {
      await clock.close()
    }
  })

  test('only in the ways that are offered', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    for (const way of ['Stripe', 'AliPay', 'WechatPay', 'Cash'])
      expect([way, (await buyer.pay(id, way)).status]).toEqual([way, 400])
  })

  test('leads back to a page of the site and nowhere else', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    for (const redirect of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', ''])
      expect([redirect, (await buyer.pay(id, 'Sandbox', {redirect})).status]).toEqual([redirect, 400])
    const {body} = await buyer.pay(id, 'Sandbox', {redirect: '/kling?foo=bar'})
    const target = encodeURIComponent('/kling?foo=bar')
    expect((await openPage(server, body.pay_url)).text).toContain(
      `href="${testOrigin}/console/orders/${id}?redirect=${target}"`,
    )
  })
})

describe('the page of the simulation', () => {
  test('names an order without a name in the language of the payment', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const german = {'accept-language': 'de'}
    const {body} = await buyer.send('POST', `/orders/${id}/pay/`, {pay_way: 'Sandbox'}, german)
    expect((await openPage(server, body.pay_url)).text).toContain(`Bestellung ${id.slice(0, 8)}`)
  })

  test('says what it is, in the language of the request, and cannot be framed', async () => {
    const buyer = await createBuyer(server)
    const {body: made} = await buyer.order({
      application_id: buyer.application.id,
      amount: 100,
      description: '<b>Foo</b>',
    })
    const {pay_url: url} = (await buyer.pay(made.id)).body
    const english = await openPage(server, url)
    expect(english.text).toContain('This is a simulation: no money moves')
    expect(english.text).toContain('$9.90')
    expect(english.text).toContain('&lt;b&gt;Foo&lt;/b&gt;')
    expect(english.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const arabic = await openPage(server, url, {'accept-language': 'ar'})
    expect(arabic.text).toMatch(/<html\s+lang="ar"\s+dir="rtl"/)
    expect(arabic.text).toContain('هذه محاكاة')
  })

  test('a handle that is guessed or changed opens nothing', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const {pay_url: url} = (await buyer.pay(id)).body
    for (const wrong of [
      url.slice(0, -1),
      `${url}x`,
      url.replace(/[0-9a-f]{8}-/, '00000000-'),
      url.replace(/\..*/, ''),
    ])
      expect((await openPage(server, wrong)).status).toBe(404)
    expect((await press(server, url.slice(0, -1), 'pay')).status).toBe(404)
    expect(await bought(buyer)).toBe(0)
  })

  test('a page of another site cannot press its buttons', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const {pay_url: url} = (await buyer.pay(id)).body
    const response = await server.call('POST', new URL(url).pathname, {
      body: new URLSearchParams({outcome: 'pay'}),
      origin: 'https://evil.example',
      headers: {'content-type': 'application/x-www-form-urlencoded'},
    })
    expect(response.status).toBe(403)
    expect(await bought(buyer)).toBe(0)
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
    expect(await list(`application_id=${buyer.application.id}`)).toMatchObject({count: 3})
    expect(await list('application_id=foo')).toMatchObject({count: 0})
    expect(await list('state=Finished')).toMatchObject({count: 0})
    expect(await list(`user_id=${crypto.randomUUID()}`)).toMatchObject({count: 0})
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
    expect(await buyer.send('DELETE', `/orders/${paid}`)).toMatchObject({status: 409, body: {code: 'conflict'}})
    expect((await buyer.send('GET', `/orders/${paid}`)).body.state).toBe('Finished')
  })
})
