import {HttpFailure} from '#server/http/failure.ts'
import {holdCredits} from '#server/ledger/ledger.ts'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {chatServiceId} from '#contract/chat.ts'
import {lockOrder} from '#server/orders/order-store.ts'
import {usableApplication} from '#server/runs/usable-application.ts'
import {applications} from '#server/store/schema/platform.ts'
import {eventually} from '../eventually.ts'
import type {TestServer} from './harness.ts'
import {bought, createBuyer, createShop, day, openPage, press} from './orders.fixtures.ts'

let shop: Awaited<ReturnType<typeof createShop>>
let server: TestServer
beforeAll(async () => {
  shop = await createShop()
  server = shop.server
  await server.createUser() // the operator
})
afterAll(() => server.close())

describe('a subscription', () => {
  test('makes the Period application, which is expired until it is paid; two in a row add up', async () => {
    const buyer = await createBuyer(server)
    const body = {application_ids: [buyer.application.id], package_ids: [buyer.packageOf('Period', 600)]}
    const {body: made} = await buyer.order(body)
    const before = await buyer.applicationOf('Period')
    expect(made).toMatchObject({price: 39, application_ids: [before?.id], packages: [{duration: 2_592_000}]})
    expect(before!.expiredAt! <= server.deps.now()).toBe(true)

    const paidAt = server.deps.now().getTime()
    await press(server, (await buyer.pay(made.id)).body.pay_url, 'pay')
    const first = await buyer.applicationOf('Period')
    expect(first!.expiredAt!.getTime() - paidAt).toBeGreaterThanOrEqual(30 * day)
    expect(first!.expiredAt!.getTime() - paidAt).toBeLessThan(30 * day + 60_000)
    expect(first!.remainingAmount).toBe('600.000000')

    const second = (await buyer.order({...body, application_ids: [first!.id]})).body
    await press(server, (await buyer.pay(second.id)).body.pay_url, 'pay')
    const prolonged = await buyer.applicationOf('Period')
    expect(prolonged!.expiredAt!.getTime() - first!.expiredAt!.getTime()).toBe(30 * day)
    expect(prolonged!.remainingAmount).toBe('1200.000000')
  })

  test('is ordered for an application that the client made first, which is the only one', async () => {
    const buyer = await createBuyer(server)
    const kind = {type: 'Period', scope: 'Global', user_id: buyer.user.user.id}
    const {body: period} = await buyer.send('POST', '/applications/', kind)
    expect((await buyer.send('POST', '/applications/', kind)).body.code).toBe('duplication')
    const order = {package_ids: [buyer.packageOf('Period', 120)], description: 'General balance · One week'}
    const {status, body: made} = await buyer.order({...order, application_ids: [period.id]})
    expect([status, made.application_id, made.description]).toEqual([201, period.id, 'General balance · One week'])
    const listed = async () => (await buyer.send('GET', '/applications/')).body.items.map(({id}: {id: string}) => id)
    expect(await listed()).toEqual([buyer.application.id])
    // by the id of the other application it is the same one
    const {body: again} = await buyer.order({...order, application_ids: [buyer.application.id]})
    expect(again.application_ids).toEqual([period.id])
    const page = (await buyer.pay(made.id)).body.pay_url
    expect((await openPage(server, page)).text).toContain('General balance · One week')
    await press(server, page, 'pay')
    expect((await listed()).sort()).toEqual([buyer.application.id, period.id].sort())
  })

  test('gives a quota the ledger can hold, until it ends', async () => {
    const {server: clock} = await createShop()
    try {
      const buyer = await createBuyer(clock)
      const {body: made} = await buyer.order({
        application_ids: [buyer.application.id],
        package_ids: [buyer.packageOf('Period', 120)],
      })
      await press(clock, (await buyer.pay(made.id)).body.pay_url, 'pay')
      const application = await buyer.applicationOf('Period')
      const identity = {...buyer.user, userId: buyer.user.user.id, role: 'member' as const}
      const spend = (amount: string, reference: string) =>
        clock.deps.database.asUser(identity.userId, async (transaction) => {
          const applicationId = await usableApplication(
            transaction,
            {...identity, credentialId: 'foo', applicationId: application!.id},
            {serviceId: chatServiceId, now: clock.deps.now()},
          )
          await holdCredits(transaction, {applicationId, userId: identity.userId, amount, reference})
        })
      await spend('120', 'foo')
      await expect(spend('0.000001', 'bar')).rejects.toEqual(
        new HttpFailure(403, 'used_up', 'creditsUsedUp', {
          applicationId: expect.any(String),
          credits: {needed: '0.000001', available: '0.000000'},
        }),
      )
      clock.advance(7 * day + 1000)
      await expect(spend('0', 'baz')).rejects.toEqual(
        new HttpFailure(403, 'used_up', 'applicationExpired', {applicationId: expect.any(String)}),
      )
    } finally {
      await clock.close()
    }
  })

  test('bought after the last one ended, begins now', async () => {
    const buyer = await createBuyer(server)
    const body = {application_ids: [buyer.application.id], package_ids: [buyer.packageOf('Period', 120)]}
    const buy = async () => {
      const {body: made} = await buyer.order(body)
      await press(server, (await buyer.pay(made.id)).body.pay_url, 'pay')
      return (await buyer.applicationOf('Period'))!
    }
    const {id} = await buy()
    const past = new Date(server.deps.now().getTime() - 20 * day)
    await server.deps.database.asSystem((transaction) =>
      transaction.update(applications).set({expiredAt: past}).where(eq(applications.id, id)),
    )
    const now = server.deps.now().getTime()
    const left = (await buy()).expiredAt!.getTime() - now
    expect(left).toBeGreaterThanOrEqual(7 * day)
    expect(left).toBeLessThan(7 * day + 60_000)
  })

  test('every application that is named gets something', async () => {
    const buyer = await createBuyer(server)
    const {body: chat} = await buyer.send('POST', '/applications/', {type: 'Usage', service_id: chatServiceId})
    const both = {
      application_ids: [buyer.application.id, chat.id],
      package_ids: [buyer.packageOf('Period', 120), chat.packages[0].id],
    }
    const {body: made} = await buyer.order(both)
    expect([made.price, made.amount]).toEqual([19.8, 220])
    await press(server, (await buyer.pay(made.id)).body.pay_url, 'pay')
    expect((await buyer.refresh(made.id)).body.state).toBe('Finished')
    expect(await bought(buyer)).toBe(220)
    const {status} = await buyer.order({...both, package_ids: both.package_ids.slice(0, 1)})
    expect(status).toBe(404)
  })
})

describe('time', () => {
  test('an order expires while its page is open: the page takes no payment any more', async () => {
    const {server: clock} = await createShop()
    try {
      const buyer = await createBuyer(clock)
      const {id} = await buyer.topUp()
      const {pay_url: url} = (await buyer.pay(id)).body
      clock.advance(60 * 60_000 + 1000)
      await press(clock, url, 'pay')
      expect(await bought(buyer)).toBe(0)
      expect((await buyer.orderRow(id))?.state).toBe('Expired')
      expect((await openPage(clock, url)).text).toContain('This payment can no longer be made.')
    } finally {
      await clock.close()
    }
  })

  test('an order expires while a press of its button waits for it: no page is opened', async () => {
    const {server: clock} = await createShop({orderMinutes: 5})
    const {database} = clock.deps
    try {
      const buyer = await createBuyer(clock)
      const {id} = await buyer.topUp()
      const pressed = await database.asSystem(async (transaction) => {
        await lockOrder(transaction, id)
        const waiting = buyer.pay(id)
        await eventually(async () => {
          const {rows} = await database.pool.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          expect(rows).toHaveLength(1)
        })
        clock.advance(5 * 60_000)
        return {waiting}
      })
      expect(await pressed.waiting).toEqual({
        status: 409,
        body: {code: 'conflict', detail: 'This order has expired. Make a new one.'},
        headers: expect.any(Headers),
      })
      expect(await buyer.payments()).toEqual([])
    } finally {
      await clock.close()
    }
  })

  test('a list and its filter agree about an order that nobody has swept', async () => {
    const {server: clock, service} = await createShop({orderMinutes: 5})
    try {
      const buyer = await createBuyer(clock)
      const {id} = await buyer.topUp()
      await buyer.pay(id)
      clock.advance(5 * 60_000)
      expect((await buyer.orderRow(id))?.state).toBe('Pending')
      const expired = (await buyer.send('GET', '/orders/?state=Expired&state=Failed')).body
      expect(expired).toMatchObject({count: 1, items: [{id, state: 'Expired', pay_ways: []}]})
      expect((await buyer.send('GET', '/orders/?state=Pending')).body).toEqual({count: 0, items: []})
      expect((await buyer.pay(id)).status).toBe(409)
      await service.payments.sweep()
      expect((await buyer.orderRow(id))?.state).toBe('Expired')
      expect((await buyer.payments()).map(({state}) => state)).toEqual(['closed'])
    } finally {
      await clock.close()
    }
  })
})
