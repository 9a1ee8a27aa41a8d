import {eq, inArray, sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {accountSessionPage} from '#contract/account.ts'
import {checkPassword} from '#server/auth/users.ts'
import {issueTokens} from '#server/auth/tokens.ts'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {tasks} from '#server/store/schema/media.ts'
import {files} from '#server/store/schema/files.ts'
import {orders, payments} from '#server/store/schema/orders.ts'
import {users} from '#server/store/schema/people.ts'
import {sites} from '#server/store/schema/platform.ts'
import {createContractServer} from './contract.fixtures.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {press, shopPayments} from './orders.fixtures.ts'
import {ask, base} from './platform.fixtures.ts'
import {readArchive} from '../fixtures/read-archive.ts'

/* On the whole server: what ends with an account runs in other services. */

let installation: Awaited<ReturnType<typeof createContractServer>>
let server: TestServer
let operator: TestUser
beforeAll(async () => {
  installation = await createContractServer({payments: shopPayments()})
  server = installation.server
  operator = await server.createUser({password: 'operator password'})
})
afterAll(() => installation.close())

const password = 'present password'
const createUser = () => server.createUser({password})
const post = (user: TestUser, path: string, body: object) => ask(server, 'POST', path, {token: user.accessToken, body})
const me = (token: string) => ask(server, 'GET', '/users/me', {token})
const signIn = async (user: TestUser, agent?: string) =>
  issueTokens(server.deps, {userId: user.user.id, client: testOrigin, agent})
const createKey = async (user: TestUser, body: object = {}) => {
  const {body: application} = await post(user, '/applications/', {type: 'Usage', scope: 'Global'})
  const id = application.id ?? (await ask(server, 'GET', '/applications/', {token: user.accessToken})).body.items[0].id
  return (await post(user, '/credentials/', {application_id: id, ...body})).body
}
const retrieve = (token: string) =>
  server.call('POST', '/services/api/aichat/conversations', {token, body: {action: 'retrieve_batch'}})

describe('the password', () => {
  test('is changed with the present one, and ends all other sessions', async () => {
    const user = await createUser()
    const other = await signIn(user)
    const key = await createKey(user)
    const {status} = await post(user, '/users/me/password', {
      current_password: password,
      new_password: 'a new password',
    })
    expect(status).toBe(204)
    expect(await checkPassword(server.deps, user.user.email, 'a new password')).toMatchObject({id: user.user.id})
    expect(await checkPassword(server.deps, user.user.email, password)).toBeUndefined()
    expect((await me(user.accessToken)).status).toBe(200)
    expect((await me(other.tokens.access_token)).status).toBe(401)
    expect((await retrieve(key.token)).status).toBe(200)
  })

  test.each([
    [{current_password: 'wrong password', new_password: 'a new password'}, 'current_password'],
    [{current_password: password, new_password: 'short'}, 'new_password'],
    [{current_password: password, new_password: '🔑🔑🔑🔑🔑'}, 'new_password'],
    [{new_password: 'a new password'}, 'current_password'],
  ])('%j is refused by name and changes nothing', async (body, field) => {
    const user = await createUser()
    const answer = await post(user, '/users/me/password', body)
    expect([answer.status, answer.body.code, answer.body.field]).toEqual([400, 'bad_request', field])
    expect(await checkPassword(server.deps, user.user.email, password)).toMatchObject({id: user.user.id})
    expect((await me(user.accessToken)).status).toBe(200)
  })
})

describe('sessions', () => {
  test('are listed with what they are known by, and ended one by one', async () => {
    const user = await createUser()
    server.advance(1) // sign-ins of one millisecond have no order
    const other = await signIn(user, 'Foo/1.0')
    const {body} = await ask(server, 'GET', '/users/me/sessions?ordering=created_at', {token: user.accessToken})
    expect(accountSessionPage.safeParse(body).success).toBe(true)
    expect(body).toMatchObject({
      count: 2,
      items: [
        {id: user.familyId, current: true, client: testOrigin},
        {id: other.familyId, current: false, client: testOrigin, agent: 'Foo/1.0'},
      ],
    })
    const end = () => ask(server, 'DELETE', `/users/me/sessions/${other.familyId}`, {token: user.accessToken})
    expect((await end()).status).toBe(204)
    expect((await me(other.tokens.access_token)).status).toBe(401)
    expect((await end()).status).toBe(404)
    expect((await ask(server, 'GET', '/users/me/sessions', {token: user.accessToken})).body.count).toBe(1)
  })

  test('of another user are not there', async () => {
    const [owner, other] = [await createUser(), await createUser()]
    const end = (id: string) => ask(server, 'DELETE', `/users/me/sessions/${id}`, {token: other.accessToken})
    const foreign = await end(owner.familyId)
    expect([foreign.status, foreign.body]).toEqual([404, (await end('00000000-0000-4000-8000-000000000000')).body])
    expect((await me(owner.accessToken)).status).toBe(200)
    const {body} = await ask(server, 'GET', '/users/me/sessions', {token: other.accessToken})
    expect(body.items.map(({id}: {id: string}) => id)).toEqual([other.familyId])
  })
})

/** An order of credits with an open payment of the simulation. */
const orderCredits = async (user: TestUser, description: string) => {
  const key = await createKey(user)
  const {body: made} = await post(user, '/orders/', {application_id: key.application_id, amount: 100, description})
  const {body} = await post(user, `/orders/${made.id}/pay/`, {pay_way: 'Sandbox', redirect: '/chat?mine'})
  return {id: made.id as string, price: made.price as number, url: body.pay_url as string}
}
// 1 × 1, transparent
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const upload = async (user: TestUser, name: string, content: BlobPart) => {
  const form = new FormData()
  form.set('file', new File([content], name))
  return (await server.call('POST', `${base}/files/`, {token: user.accessToken, body: form})).json()
}

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
    expect(row).toMatchObject({email: `${user.user.id}@deleted.invalid`, nickname: null, role: 'member'})
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
    expect(row).toMatchObject({admins: [operator.user.id], distribution: {}})
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

describe('an API key', () => {
  test('is masked in lists, read again by its id, and calls a service until it is revoked', async () => {
    const user = await createUser()
    const key = await createKey(user, {name: 'foo'})
    expect(key.token).toMatch(/^sk-atrium-/)
    const {body: listed} = await ask(server, 'GET', '/credentials/', {token: user.accessToken})
    expect(listed.items).toHaveLength(1)
    expect(listed.items[0]).not.toHaveProperty('token')
    expect(listed.items[0].masked_token).toBe(`sk-atrium-…${key.token.slice(-4)}`)
    const {body: applications} = await ask(server, 'GET', '/applications/', {token: user.accessToken})
    expect(JSON.stringify(applications)).not.toContain(key.token)
    expect((await ask(server, 'GET', `/credentials/${key.id}`, {token: user.accessToken})).body.token).toBe(key.token)
    expect((await retrieve(key.token)).status).toBe(200)
    expect((await ask(server, 'DELETE', `/credentials/${key.id}`, {token: user.accessToken})).status).toBe(204)
    expect((await retrieve(key.token)).status).toBe(401)
  })
})
