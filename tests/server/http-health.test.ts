import {afterAll, beforeAll, expect, test} from 'vitest'
import {withHealth} from '#server/http/health.ts'
import {createTestServer, type TestServer} from './harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({})
})
afterAll(() => server.close())

const ready = () => 'ready' as const
const databaseOf = (query: () => unknown) => ({leases: {query}}) as unknown as TestServer['deps']['database'] // as: nothing of it but a query is used

const ask = (handle: ReturnType<typeof withHealth>, path = '/healthz', method = 'GET') =>
  handle(new Request(`http://10.1.2.3:4000${path}`, {method}))

test('a node whose database answers is ready, whatever the host name', async () => {
  const response = await ask(withHealth(server.deps, ready, async () => new Response('page')))
  expect([response.status, await response.json()]).toEqual([200, {state: 'ready', role: 'all'}])
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('a node whose database does not answer is not, and is again when it does', async () => {
  let now = 0
  const answers: (() => Promise<unknown>)[] = [
    () => Promise.reject(new Error('The database is gone')),
    () => Promise.resolve({rows: []}),
  ]
  let asked = 0
  const database = databaseOf(() => answers[asked++]?.())
  const handle = withHealth(
    {...server.deps, database, now: () => new Date(now)},
    ready,
    async () => new Response('page'),
  )
  const response = await ask(handle)
  expect([response.status, await response.json()]).toEqual([503, {state: 'no_database', role: 'all'}])
  now = 999
  expect((await ask(handle)).status).toBe(503)
  expect(asked).toBe(1)
  now = 1_000
  expect((await ask(handle)).status).toBe(200)
})

test('a node whose connections are all in use is ready', async () => {
  const {pool} = server.deps.database
  const taken = await Promise.all(Array.from({length: pool.options.max}, () => pool.connect()))
  try {
    expect((await ask(withHealth(server.deps, ready, async () => new Response('page')))).status).toBe(200)
  } finally {
    for (const client of taken) client.release()
  }
})

test('a node that takes nothing new answers 404 to a look that asks for it', async () => {
  const away = {...server.deps, database: databaseOf(() => Promise.reject(new Error('The database is gone')))}
  const page = async () => new Response('page')
  const look = '/healthz?away=404'
  expect((await ask(withHealth(server.deps, ready, page), look)).status).toBe(200)
  expect((await ask(withHealth(away, ready, page), look)).status).toBe(404)
  const drained = withHealth(server.deps, () => 'draining', page)
  const response = await ask(drained, look)
  expect([response.status, await response.json()]).toEqual([404, {state: 'draining', role: 'all'}])
  expect((await ask(drained, '/healthz?away=200')).status).toBe(503)
})

test('a look has a deadline', async () => {
  const database = databaseOf(() => new Promise(() => {}))
  expect((await ask(withHealth({...server.deps, database}, ready, async () => new Response('page')))).status).toBe(503)
})

test('a node that answers is alive, also one whose database is away or that ends: a restart mends neither', async () => {
  const away = {...server.deps, database: databaseOf(() => Promise.reject(new Error('The database is gone')))}
  for (const state of ['ready', 'no_database', 'draining'] as const) {
    const response = await ask(
      withHealth(
        away,
        () => state,
        async () => new Response('page'),
      ),
      '/livez',
    )
    expect([response.status, await response.json()]).toEqual([200, {state, role: 'all'}])
  }
})

test('nothing else is answered there, and nothing is sent but what a look asks for', async () => {
  const handle = withHealth(server.deps, ready, async () => new Response('page'))
  expect(await (await ask(handle, '/healthz/x')).text()).toBe('page')
  expect((await ask(handle, '/healthz', 'POST')).status).toBe(405)
  const head = await ask(handle, '/healthz', 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
})
