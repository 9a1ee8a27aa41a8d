import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {testOrigin, type TestServer} from './harness.ts'
import {bought, createBuyer, createShop, openPage, press} from './orders.fixtures.ts'

let shop: Awaited<ReturnType<typeof createShop>>
let server: TestServer
beforeAll(async () => {
  shop = await createShop()
  server = shop.server
  await server.createUser() // the operator
})
afterAll(() => server.close())

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
    expect(await buyer.pay(id)).toEqual({
      status: 409,
      body: {code: 'conflict', detail: 'This order is paid already.'},
      headers: expect.any(Headers),
    })
  })

  test('declined: the order is Failed, says so, and can be paid again', async () => {
    const buyer = await createBuyer(server)
    const {id} = await buyer.topUp()
    const first = (await buyer.pay(id)).body.pay_url
    await press(server, first, 'decline')
    const failed = (await buyer.refresh(id)).body
    expect([failed.state, failed.pay_ways]).toEqual(['Failed', ['Sandbox']])
    expect(failed).not.toHaveProperty('pay_url')
    expect(failed).not.toHaveProperty('opened_at')
    expect(failed.failed_at).toBe(failed.updated_at)
    await press(server, first, 'pay')
    expect(await bought(buyer)).toBe(0)
    const second = (await buyer.pay(id)).body
    expect([second.state, second.pay_url]).toEqual(['Failed', expect.not.stringMatching(first)])
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
    expect(await buyer.pay(id)).toEqual({
      status: 409,
      body: {code: 'conflict', detail: 'This order has expired. Make a new one.'},
      headers: expect.any(Headers),
    })
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
