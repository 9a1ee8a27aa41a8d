import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createAccounts} from './account.fixtures.ts'
import {createContractServer} from './contract.fixtures.ts'
import type {TestServer} from './harness.ts'
import {press, shopPayments} from './orders.fixtures.ts'
import {base} from './platform.fixtures.ts'
import {readArchive} from '../fixtures/read-archive.ts'

/* The whole server runs here: an account has data in other services. */

let installation: Awaited<ReturnType<typeof createContractServer>>
let server: TestServer
beforeAll(async () => {
  installation = await createContractServer({payments: shopPayments()})
  server = installation.server
  await server.createUser() // the operator
})
afterAll(() => installation.close())

const {createKey, createUser, orderCredits, upload} = createAccounts(() => server)

describe('the export', () => {
  test('has everything of the user and nothing of others, and no secret', async () => {
    const [user, other] = [await createUser(), await createUser()]
    const key = await createKey(user, {name: 'my key'})
    await createKey(other, {name: 'other key'})
    const order = await orderCredits(user, 'my order')
    await press(server, order.url, 'pay')
    await orderCredits(other, 'another order')
    const file = await upload(user, 'foo.txt', 'my own text')
    await upload(other, 'bar.txt', 'another text')
    const response = await server.call('GET', `${base}/users/me/export`, {token: user.accessToken})
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="atrium-[\d-]{10}\.zip"$/)
    const bytes = Buffer.from(await response.arrayBuffer())
    const entries = readArchive(bytes)
    expect(entries.get(`files/${file.id}/foo.txt`)).toBe('my own text')
    expect(JSON.parse(entries.get('users.json') ?? '')).toMatchObject([{id: user.user.id, email: user.user.email}])
    expect(JSON.parse(entries.get('credentials.json') ?? '')).toContainEqual(
      expect.objectContaining({id: key.id, name: 'my key'}),
    )
    expect(JSON.parse(entries.get('orders.json') ?? '')).toMatchObject([
      {id: order.id, state: 'Finished', description: 'my order', price: Math.round(order.price * 100)},
    ])
    expect(JSON.parse(entries.get('payments.json') ?? '')).toMatchObject([
      {order_id: order.id, way: 'Sandbox', state: 'paid', title: 'my order'},
    ])
    expect(JSON.parse(entries.get('files.json') ?? '')).toMatchObject([{name: 'foo.txt'}])
    for (const name of [
      'applications',
      'conversations',
      'messages',
      'tasks',
      'usages',
      'ledger_entries',
      'token_families',
    ])
      expect(JSON.parse(entries.get(`${name}.json`) ?? '')).toBeInstanceOf(Array)
    const text = bytes.toString('latin1')
    for (const foreign of [
      other.user.id,
      other.user.email,
      'other key',
      'another text',
      'another order',
      'password_hash',
      'token_hash',
      key.token,
    ])
      expect(text).not.toContain(foreign)
  })

  test('has a file for every table that belongs to users, but those that are named', async () => {
    const user = await createUser()
    const response = await server.call('GET', `${base}/users/me/export`, {token: user.accessToken})
    const names = [...readArchive(Buffer.from(await response.arrayBuffer())).keys()]
    const {rows} = await server.deps.database.asSystem((transaction) =>
      transaction.execute<{name: string}>(sql`select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'user_id'`),
    )
    const withheld = [
      'access_tokens',
      'login_codes',
      'login_handovers',
      'idempotency_keys',
      'usage_sums',
      'task_counts',
    ]
    const tables = rows.map(({name}) => name).filter((name) => !withheld.includes(name))
    expect(names.sort()).toEqual(['users.json', ...tables.map((name) => `${name}.json`)].sort())
  })
})
