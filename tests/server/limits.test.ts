import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {HttpFailure} from '#server/http/failure.ts'
import {createLimits, sweepLimits} from '#server/http/limits.ts'
import {silentLog} from '#server/log.ts'
import {openDatabase} from '#server/store/database.ts'
import {createAiServer, createAsker, post} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {createBrowser, createAuthServer, loginPath, password} from './auth-support.ts'
import {freePort} from './free-port.ts'
import {createTestServer, testOrigin, type TestServer} from './harness.ts'
import {routes} from './router-fixture.ts'

/* Limits are one for all nodes of a database (docs/decisions/0076). Each test has buckets of its own. */

const standing = new Date()
const now = () => standing
const limited = {config: {limitFactor: 1}, deps: {now}}

let nodes: readonly [TestServer, TestServer]
beforeAll(async () => {
  const first = await createAuthServer(limited)
  nodes = [first, await createAuthServer({...limited, sharing: first})]
})
afterAll(async () => {
  const [first, second] = nodes
  await second.close()
  await first.close()
})

const rowsOf = async ({deps}: TestServer) =>
  (await deps.database.pool.query<{bucket: string}>('select bucket from rate_limits')).rows

/** Takes calls until one is refused; how many were given. */
async function drain(take: () => Promise<void>): Promise<{given: number; error: unknown}> {
  for (let given = 0; ; given += 1) {
    try {
      await take()
    } catch (error) {
      return {given, error}
    }
  }
}
const refusedFor = (seconds: number) =>
  new HttpFailure(429, 'too_many_requests', 'tooManyRequests', {values: {seconds}, retryAfterSeconds: seconds})

describe('two nodes on one database', () => {
  test('share the tries at an account: what one has counted, the other refuses', async () => {
    const [first, second] = nodes
    await first.createUser({email: 'foo@example.com', password})
    const attempt = (node: TestServer, secret: string) =>
      createBrowser(node).submit(loginPath, {email: 'foo@example.com', password: secret})
    const statuses: number[] = []
    for (let tried = 0; tried < 10; tried += 1)
      statuses.push((await attempt(tried % 2 === 0 ? first : second, 'wrong horse battery')).status)
    expect(new Set(statuses)).toEqual(new Set([401]))
    for (const node of nodes) {
      const last = await attempt(node, password)
      expect([last.status, last.headers.get('retry-after')]).toEqual([429, '6'])
    }
  })

  test('share the attempts of an address, at whatever account, to a twentieth', async () => {
    const attempt = (node: TestServer) => {
      const headers = {'content-type': 'application/x-www-form-urlencoded', origin: testOrigin}
      return node.handle(new Request(`${testOrigin}${loginPath}`, {method: 'POST', headers}), {address: '10.0.0.7'})
    }
    let given = 0
    for (const index of Array(80).keys())
      if ((await attempt(index % 2 === 0 ? nodes[0] : nodes[1])).status !== 429) given += 1
    expect(given).toBeLessThanOrEqual(40)
    expect(given).toBeGreaterThanOrEqual(38)
  })

  test('share the questions of a user; each says when to go on', async () => {
    const model = createScriptedProvider()
    const first = await createAiServer({providers: [model.provider], config: {limitFactor: 0.05}})
    const second = await createAiServer({providers: [model.provider], config: {limitFactor: 0.05}, sharing: first})
    const asker = await createAsker(first)
    const statuses: number[] = []
    for (const index of Array(4).keys())
      statuses.push((await post(index % 2 === 0 ? first : second, asker, {action: 'retrieve_batch'})).status)
    // two at once, and one in ten seconds
    expect(statuses).toEqual([200, 200, 429, 429])
    const last = await post(second, asker, {action: 'retrieve_batch'})
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    await second.close()
    await first.close()
  })

  test('give no more at once than one does, however many ask at the same moment', async () => {
    const [first, second] = [createLimits(nodes[0].deps), createLimits(nodes[1].deps)]
    const key = {userId: 'foo'}
    const ends = await Promise.allSettled(
      Array.from({length: 60}, (_, index) => (index % 2 === 0 ? first : second).take('login', key)),
    )
    expect(ends.filter(({status}) => status === 'fulfilled')).toHaveLength(10)
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toEqual(refusedFor(6))
  })
})

describe('a node', () => {
  test('that starts again forgives nothing', async () => {
    const key = {userId: 'bar'}
    const before = createLimits(nodes[0].deps)
    expect(await drain(() => before.take('generate', key))).toEqual({given: 20, error: refusedFor(1)})
    const after = createLimits(nodes[0].deps)
    await expect(after.take('generate', key)).rejects.toEqual(refusedFor(1))
  })

  test('asks the database once for a twentieth of a bucket, and not at all while it is empty', async () => {
    const {deps} = nodes[0]
    let statements = 0
    const database: typeof deps.database = {
      ...deps.database,
      asSystemOnce: (statement) => {
        statements += 1
        return deps.database.asSystemOnce(statement)
      },
    }
    const limits = createLimits({...deps, database})
    const take = () => limits.take('management', {userId: 'baz'})
    expect((await drain(take)).given).toBe(300)
    expect(statements).toBe(21)
    await expect(take()).rejects.toEqual(refusedFor(1))
    expect(statements).toBe(21)
  })

  test('loses what it has in hand and did not spend: it cannot be saved up', async () => {
    let time = standing.getTime()
    const deps = {...nodes[0].deps, now: () => new Date(time)}
    const [one, other] = [createLimits(deps), createLimits(deps)]
    const key = {userId: 'saver'}
    await one.take('management', key)
    time += 60 * 60_000
    expect((await drain(() => other.take('management', key))).given).toBe(300)
    await expect(one.take('management', key)).rejects.toEqual(refusedFor(1))
  })

  test('that is cut off from the database refuses with 503, and gives nothing', async () => {
    const gone = {host: '127.0.0.1', port: await freePort(), user: 'foo', database: 'foo'}
    const database = openDatabase(gone, gone, silentLog)
    const server = await createTestServer({routes: () => routes, sharing: nodes[0], deps: {now, database}})
    const response = await server.call('GET', '/services/platform/api/v1/open')
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    await server.close()
  })
})

describe('the rows', () => {
  test('say neither who nor from where', async () => {
    await createLimits(nodes[0].deps).take('login', {address: '10.1.2.3', email: 'who@example.com'})
    const rows = await rowsOf(nodes[0])
    expect(rows.length).toBeGreaterThan(0)
    for (const {bucket} of rows) expect(bucket).toMatch(/^[\w-]{43}$/)
  })

  test('are taken away once their buckets are full, and not before', async () => {
    let time = standing.getTime()
    const server = await createTestServer({config: {limitFactor: 1}, deps: {now: () => new Date(time)}})
    const limits = createLimits(server.deps)
    const key = {userId: 'foo'}
    for (let call = 0; call < 5; call += 1) await limits.take('export', key)
    await limits.take('login', key)
    const count = async () => (await rowsOf(server)).length
    time += 5_999
    await sweepLimits(server.deps)
    expect(await count()).toBe(2)
    time += 1
    await sweepLimits(server.deps)
    expect(await count()).toBe(1)
    await expect(limits.take('export', key)).rejects.toEqual(refusedFor(24))
    time += 150_000
    await sweepLimits(server.deps)
    expect(await count()).toBe(0)
    expect((await drain(() => limits.take('export', key))).given).toBe(5)
    await server.close()
  })

  test('of a clock that was far ahead mean an empty bucket and no more', async () => {
    let time = standing.getTime()
    const deps = {...nodes[0].deps, now: () => new Date(time)}
    const key = {userId: 'ahead'}
    await createLimits(deps).take('login', key)
    await deps.database.asSystem((transaction) =>
      transaction.execute(sql`update rate_limits set full_at = full_at + interval '1 year'`),
    )
    const limits = createLimits(deps)
    await expect(limits.take('login', key)).rejects.toEqual(refusedFor(6))
    time += 6_000
    await limits.take('login', key)
  })

  test('a call that is given back is there for all', async () => {
    const [first, second] = [createLimits(nodes[0].deps), createLimits(nodes[1].deps)]
    const key = {userId: 'returned'}
    expect((await drain(() => first.take('login', key))).given).toBe(10)
    await first.giveBack('login', key)
    await second.take('login', key)
    await expect(first.take('login', key)).rejects.toEqual(refusedFor(6))
  })
})
