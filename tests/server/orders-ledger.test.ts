import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {ServerDeps} from '#server/deps.ts'
import {grantCredits, holdCredits, refundCredits, settleCredits} from '#server/ledger/ledger.ts'
import {createOrderService} from '#server/orders/order-service.ts'
import {createTestServer, testOrigin, type TestServer} from './harness.ts'
import {faultsOfBooks} from './books.fixtures.ts'
import {createBuyer, createShop, press, shopPayments, type Buyer} from './orders.fixtures.ts'
import {long} from '../long.ts'

/*
 * The books of applications, orders and payments together, on the real database: whatever sequence of holds, charges,
 * refunds, orders, payments, repeated reports and killed transactions runs, also at the same time, no credit is
 * invented and none is lost.
 */

let server: TestServer
beforeAll(async () => {
  ;({server} = await createShop())
  await server.createUser()
})
afterAll(() => server.close())
const faults = (userId: string) => faultsOfBooks(server, userId)

/** Same numbers for the same seed: a failing sequence can be run again. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}

/** A database whose transactions may be killed: their connection is cut after the work and before the commit. */
function createCrashing(deps: ServerDeps, isDoomed: () => boolean): ServerDeps {
  const {database} = deps
  const run =
    (open: typeof database.asSystem): typeof database.asSystem =>
    (work) =>
      open(async (transaction) => {
        const result = await work(transaction)
        if (isDoomed()) await transaction.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
        return result
      })
  return {
    ...deps,
    database: {
      ...database,
      asSystem: run(database.asSystem),
      asUser: (userId, work) => run((inner) => database.asUser(userId, inner))(work),
    },
  }
}

/** A buyer whose orders bring rewards to another user. */
async function createInvited(): Promise<Buyer> {
  const inviter = await server.createUser()
  return createBuyer(server, await server.createUser({inviters: [inviter.user.id]}))
}

/** Ids of orders of this buyer that have brought a reward. */
async function rewardedOrders(userId: string): Promise<Set<string>> {
  const {rows} = await server.deps.database.pool.query<{id: string}>(
    'select order_id as id from distribution_rewards where invitee_id = $1',
    [userId],
  )
  return new Set(rows.map(({id}) => id))
}

type Account = {
  buyer: Buyer
  holds: {reference: string; amount: number}[]
  orders: string[]
  /** Payments of which money of the order's price was reported. */
  pays: Set<string>
  /** Payments of which money of another amount was. */
  mismatches: Set<string>
}

describe.each([
  [11, {}],
  [4711, long],
  [80_808, long],
])('a random sequence from seed %i', (seed, run) => {
  test('keeps the books', {...run, timeout: 120_000}, async () => {
    const random = createRandom(seed)
    let crashes = 0
    const crashing = createCrashing(server.deps, () => {
      const isDoomed = random(9) === 0
      if (isDoomed) crashes += 1
      return isDoomed
    })
    const {payments} = createOrderService(crashing, {tools: []})
    const {asUser, asSystem} = crashing.database
    const buyer = await createInvited()
    const account: Account = {buyer, holds: [], orders: [], pays: new Set(), mismatches: new Set()}
    const userId = buyer.user.user.id
    const pick = <T>(items: readonly T[]): T | undefined => items[random(Math.max(1, items.length))]
    const wish = {way: 'Sandbox' as const, title: 'foo', returnUrl: 'foo', locale: 'en', baseUrl: testOrigin}
    const openPayments = () => buyer.payments()
    let step = 0

    const operations: (() => Promise<unknown>)[] = [
      async () => {
        const [applicationId, amount] = [buyer.application.id as string, random(40) + 1]
        const reference = `test:${seed}:${(step += 1)}`
        account.holds.push({reference, amount})
        await asUser(userId, (transaction) =>
          holdCredits(transaction, {applicationId, userId, amount: String(amount), reference}),
        )
      },
      async () => {
        const hold = pick(account.holds)
        if (hold === undefined) return
        const charge = String(random(hold.amount + 10))
        await asUser(userId, (transaction) => settleCredits(transaction, {reference: hold.reference, amount: charge}))
      },
      async () => {
        const hold = pick(account.holds)
        if (hold !== undefined) await asUser(userId, (transaction) => refundCredits(transaction, hold.reference))
      },
      async () => {
        const body =
          random(2) === 0
            ? {application_id: buyer.application.id, amount: random(90) + 10}
            : {application_ids: [buyer.application.id], package_ids: [buyer.packageOf('Period', 120)]}
        account.orders.push((await buyer.order(body)).body.id)
      },
      async () => {
        const id = pick(account.orders)
        const order = id === undefined ? undefined : await buyer.orderRow(id)
        if (order !== undefined) await payments.begin(order.id, order.price, wish)
      },
      async () => {
        const payment = pick(await openPayments())
        if (payment === undefined) return
        account.pays.add(payment.id)
        // several reports of one payment at once, as a webhook, a poll and a second tab send them
        const report = {state: 'paid' as const, amount: payment.amount}
        await Promise.allSettled([1, 2, 3].map(() => payments.settle(payment.id, report)))
      },
      async () => {
        const payment = pick(await openPayments())
        const state = (['declined', 'expired', 'closed'] as const)[random(3)] ?? 'closed'
        if (payment !== undefined) await payments.settle(payment.id, {state})
      },
      async () => {
        const payment = pick(await openPayments())
        // nobody pays on a page that was never made
        if (payment?.reference == null) return
        account.mismatches.add(payment.id)
        await payments.settle(payment.id, {state: 'paid', amount: payment.amount + 1})
      },
      async () => {
        const id = pick(account.orders)
        const order = id === undefined ? undefined : await buyer.orderRow(id)
        if (order !== undefined) await payments.refresh(order)
      },
      () => payments.sweep(),
      () =>
        asSystem(async (transaction) => {
          await grantCredits(transaction, {
            applicationId: buyer.application.id,
            userId,
            amount: '1000',
            reference: `test:undone:${step}`,
          })
          throw new Error('killed')
        }),
    ]
    // which calls a crash meets depends on which of those at once comes first: the walk goes on until some have
    for (let round = 0; round < 30 || (crashes <= 3 && round < 120); round += 1) {
      const batch = Array.from({length: 1 + random(5)}, () => pick(operations))
      await Promise.allSettled(batch.flatMap((operation) => (operation === undefined ? [] : [operation()])))
      expect(await faults(userId)).toEqual([])
    }
    expect(crashes).toBeGreaterThan(3)
    // what a crash left behind is ended by those who ask again, and nothing comes twice by it
    const calm = createOrderService(server.deps, {tools: []}).payments
    // whatever the walk came to, one order is paid
    const {id: lastOrder} = await buyer.topUp()
    account.orders.push(lastOrder)
    await calm.begin(lastOrder, (await buyer.orderRow(lastOrder))?.price ?? 0, wish)
    for (const {id, orderId} of await buyer.payments()) if (orderId === lastOrder) account.pays.add(id)
    for (const id of account.pays) {
      const payment = (await buyer.payments()).find((row) => row.id === id)
      if (payment !== undefined) await calm.settle(id, {state: 'paid', amount: payment.amount})
    }
    // what could not be given back is tried again after as long as it was tried
    server.advance(60_000)
    await calm.sweep()
    expect(await faults(userId)).toEqual([])
    const rows = await Promise.all(account.orders.map((id) => buyer.orderRow(id)))
    // money of another amount that was reported first has ended its payment: it goes back
    const mismatched = (await buyer.payments()).filter(({surplusReason}) => surplusReason === 'amount')
    expect(mismatched.filter(({id}) => !account.mismatches.has(id))).toEqual([])
    expect(mismatched.map(({state}) => state)).toEqual(mismatched.map(() => 'refunded'))
    const paidOrders = new Set(
      (await buyer.payments())
        .filter(({id, surplusReason}) => account.pays.has(id) && surplusReason !== 'amount')
        .map(({orderId}) => orderId),
    )
    expect(rows.filter((row) => row?.state === 'Finished').map((row) => row?.id)).toEqual(
      rows.filter((row) => row !== undefined && paidOrders.has(row.id)).map((row) => row?.id),
    )
    expect(paidOrders.size).toBeGreaterThan(0)
    expect(await rewardedOrders(userId)).toEqual(paidOrders)
  })
})

test('credits that no order and no gift explains are a fault of the books', async () => {
  const {user, application} = await createBuyer(server)
  const leak = {applicationId: application.id, userId: user.user.id, amount: '1', reference: 'test:leak'}
  await server.deps.database.asSystem((transaction) => grantCredits(transaction, leak))
  expect(await faults(user.user.id)).toEqual([{fault: 'credits that nothing gives', what: 'test:leak'}])
})

test.each<[string, string, string[]]>([
  [
    'a reward that is lost',
    'delete from distribution_rewards where order_id = $1',
    ['a finished order and its reward do not go together', 'a status that is not the sum of its rewards'],
  ],
  [
    'a reward that counts twice',
    `update distribution_statuses set reward = reward * 2, price = price * 2
     where user_id = (select user_id from distribution_rewards where order_id = $1)`,
    ['a status that is not the sum of its rewards'],
  ],
  [
    'a reward before the credits',
    `insert into distribution_rewards (user_id, invitee_id, order_id, price, reward, percentage)
     select reward.user_id, invitee_id, other.id, 0.10, 0.01, 10 from distribution_rewards as reward
     join orders as other on other.user_id = invitee_id and other.state = 'Pending' where order_id = $1`,
    ['a finished order and its reward do not go together', 'a status that is not the sum of its rewards'],
  ],
])('%s is a fault of the books', async (_, change, found) => {
  const buyer = await createInvited()
  const {id} = await buyer.topUp()
  await buyer.topUp(1)
  await press(server, (await buyer.pay(id)).body.pay_url, 'pay')
  expect(await faults(buyer.user.user.id)).toEqual([])
  await server.deps.database.pool.query(change, [id])
  const after = (await faults(buyer.user.user.id)) as {fault: string}[] // as: rows of the query
  expect(after.map(({fault}) => fault).sort()).toEqual(found)
})

test('money whose credits cannot be booked yet is recorded, and booked by the sweep', async () => {
  const buyer = await createBuyer(server)
  const {id} = await buyer.topUp()
  const {pay_url: url} = (await buyer.pay(id)).body
  const run = (statement: string) => server.deps.database.pool.query(statement)
  await run(`create function refuse_order_credits() returns trigger language plpgsql as $$
    begin if new.reference like 'order:%' then raise exception 'no room'; end if; return new; end $$`)
  await run(
    'create trigger refuse before insert on ledger_entries for each row execute function refuse_order_credits()',
  )
  try {
    await press(server, url, 'pay')
    expect((await buyer.orderRow(id))?.state).toBe('Paid')
    expect(await faults(buyer.user.user.id)).toEqual([])
  } finally {
    await run('drop trigger refuse on ledger_entries')
    await run('drop function refuse_order_credits')
  }
  await createOrderService(server.deps, {tools: []}).payments.sweep()
  expect((await buyer.refresh(id)).body.state).toBe('Finished')
  expect(await faults(buyer.user.user.id)).toEqual([])
})

test('two processes, two tabs, one order: one credit', async () => {
  const second = await createTestServer({sharing: server, config: {payments: shopPayments()}})
  try {
    const buyer = await createBuyer(server)
    const [here, there] = [server.deps, second.deps].map((deps) => createOrderService(deps, {tools: []}).payments)
    for (let turn = 0; turn < 8; turn += 1) {
      const {id} = await buyer.topUp()
      const before = Number((await buyer.applicationOf('Usage'))?.remainingAmount)
      await buyer.pay(id)
      const payment = (await buyer.payments()).find(({orderId}) => orderId === id)
      const report = {state: 'paid' as const, amount: payment!.amount}
      const all = [here, there, here, there].flatMap((side) => [
        side!.settle(payment!.id, report),
        side!.sweep(),
        side!.settle(payment!.id, {state: 'declined'}),
      ])
      await Promise.all(all)
      const row = await buyer.orderRow(id)
      expect(row?.state).toBe('Finished')
      expect(Number((await buyer.applicationOf('Usage'))?.remainingAmount) - before).toBe(100)
    }
    expect(await faults(buyer.user.user.id)).toEqual([])
  } finally {
    await second.close()
  }
})
