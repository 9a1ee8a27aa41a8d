import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {eq, inArray, sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {checkPassword} from '#server/auth/users.ts'
import {files} from '#server/store/schema/files.ts'
import {tasks} from '#server/store/schema/media.ts'
import {orders, payments} from '#server/store/schema/orders.ts'
import {users} from '#server/store/schema/people.ts'
import {sites} from '#server/store/schema/platform.ts'
import {createAccounts, password} from './account.fixtures.ts'
import {createContractServer} from './contract.fixtures.ts'
import type {TestServer, TestUser} from './harness.ts'
import {press, shopPayments} from './orders.fixtures.ts'
import {ask} from './platform.fixtures.ts'

/* The whole server runs here: other services end with an account. */

let installation: Awaited<ReturnType<typeof createContractServer>>
let server: TestServer
let operator: TestUser
beforeAll(async () => {
  installation = await createContractServer({payments: shopPayments()})
  server = installation.server
  operator = await server.createUser({password: 'operator password'})
})
afterAll(() => installation.close())

const {createKey, createUser, me, orderCredits, post, retrieve, upload} = createAccounts(() => server)

// 1 × 1, transparent
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe('deleting an account', () => {
  const remove = (user: TestUser, typed = password) => post(user, '/users/me/delete', {password: typed})

  test('needs the password', async () => {
    const user = await createUser()
    const {status, body} = await remove(user, 'wrong password')
    expect([status, body.field]).toEqual([400, 'password'])
    expect((await me(user.accessToken)).status).toBe(200)
  })

  test('ends sessions and keys at once, erases what was made, and keeps the books', async () => {
    const user = await createUser()
    const key = await createKey(user)
    const file = await upload(user, 'foo.txt', 'my own text')
    const [stored] = await server.deps.database.asSystem((transaction) =>
      transaction.select().from(files).where(eq(files.id, file.id)),
    )
    const asked = await server.call('POST', '/services/api/aichat/conversations', {
      token: key.token,
      body: {model: 'gpt-4o', question: 'a question that is mine', stateful: true},
      headers: {accept: 'text/event-stream'},
    })
    expect(asked.status).toBe(200)
    await server.deps.database.asSystem((transaction) =>
      transaction.insert(tasks).values({
        userId: user.user.id,
        service: 'kling',
        operation: 'videos',
        applicationId: key.application_id,
        provider: 'foo',
        request: {prompt: 'a prompt that is mine'},
        traceId: 'foo',
      }),
    )
    const bought = await orderCredits(user, 'an order that is mine')
    await press(server, bought.url, 'pay')
    const left = await orderCredits(user, 'another one that is mine')
    expect((await remove(user)).status).toBe(204)
    expect((await me(user.accessToken)).status).toBe(401)
    const price = Math.round(bought.price * 100)
    const books = () =>
      server.deps.database.asSystem((transaction) =>
        transaction
          .select({order: orders.id, state: orders.state, price: orders.price, payment: payments.state})
          .from(orders)
          .innerJoin(payments, eq(payments.orderId, orders.id))
          .where(eq(orders.userId, user.user.id))
          .orderBy(orders.createdAt),
      )
    const expected = [
      {order: bought.id, state: 'Finished', price, payment: 'paid'},
      {order: left.id, state: 'Pending', price, payment: 'closed'},
    ]
    expect(server.logged.map(({message}) => message)).not.toContain('a deleted account waits to be erased')
    expect(await books()).toEqual(expected)
    await press(server, left.url, 'pay')
    expect(await books()).toEqual(expected)
    expect((await retrieve(key.token)).status).toBe(401)
    expect(await checkPassword(server.deps, user.user.email, password)).toBeUndefined()
    expect(existsSync(join(server.deps.config.dataDir, 'files', stored?.storedAs ?? ''))).toBe(false)
    const {rows} = await server.deps.database.asSystem((transaction) =>
      transaction.execute<{name: string}>(sql`select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'user_id'`),
    )
    const kept: string[] = []
    for (const {name} of rows) {
      const own = await server.deps.database.asSystem((transaction) =>
        transaction.execute<{row: string}>(
          sql`select to_jsonb(own)::text as row from ${sql.identifier(name)} as own where user_id = ${user.user.id}`,
        ),
      )
      if (own.rows.length > 0) kept.push(name)
      const text = JSON.stringify(own.rows)
      for (const word of ['mine', 'foo.txt', user.user.email]) expect(text).not.toContain(word)
    }
    for (const name of ['conversations', 'messages', 'answers', 'tasks', 'files', 'token_families', 'access_tokens'])
      expect(kept).not.toContain(name)
    expect(kept).toEqual(
      expect.arrayContaining(['applications', 'credentials', 'ledger_entries', 'orders', 'payments']),
    )
    const [row] = await server.deps.database.asSystem((transaction) =>
      transaction.select().from(users).where(eq(users.id, user.user.id)),
    )
    expect([row?.email, row?.nickname, row?.role]).toEqual([`${user.user.id}@deleted.invalid`, null, 'member'])
  })

  test('frees the address for a new account', async () => {
    const user = await createUser()
    await remove(user)
    const again = await server.createUser({email: user.user.email})
    expect(again.user.id).not.toBe(user.user.id)
  })

  test('leaves each site an admin and the images it shows, and no form from before writes the user back', async () => {
    const user = await createUser()
    const [logo, icon, code, own] = [
      await upload(user, 'logo.png', png),
      await upload(user, 'icon.png', png),
      await upload(user, 'code.png', png),
      await upload(user, 'own.png', png),
    ]
    const {body: site} = await post(operator, '/sites/', {
      origin: 'https://left.example',
      admins: [user.user.id],
      distribution: {default_inviter_id: user.user.id},
      logo: logo.file_url,
      favicon: icon.file_url,
      features: {support: {wechat: {enabled: true, qr: code.file_url}}},
    })
    server.advance(1_000)
    await remove(user)
    const [row] = await server.deps.database.asSystem((transaction) =>
      transaction.select().from(sites).where(eq(sites.id, site.id)),
    )
    expect([row?.admins, row?.distribution]).toEqual([[operator.user.id], {}])
    const statuses: number[] = []
    for (const {file_url: address} of [logo, icon, code, own])
      statuses.push((await server.call('GET', new URL(address).pathname, {origin: null})).status)
    expect(statuses).toEqual([200, 200, 200, 404])
    const owners = await server.deps.database.asSystem((transaction) =>
      transaction
        .select({userId: files.userId})
        .from(files)
        .where(inArray(files.id, [logo.id, icon.id, code.id])),
    )
    expect(owners.map(({userId}) => userId)).toEqual(Array.from({length: 3}, () => operator.user.id))

    const put = (body: object) => ask(server, 'PUT', `/sites/${site.id}`, {token: operator.accessToken, body})
    expect((await put(site)).status).toBe(400)
    const {admins: _admins, distribution: _distribution, ...rest} = site
    expect((await put({...rest, title: 'Foo'})).status).toBe(409)
    const again = await put({admins: [operator.user.id, user.user.id]})
    expect([again.status, again.body.field]).toEqual([400, 'admins'])
  })

  test('is refused to the last operator', async () => {
    const {status, body} = await remove(operator, 'operator password')
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect((await me(operator.accessToken)).status).toBe(200)
  })
})
