import {readFileSync} from 'node:fs'
import {resolve} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {createAuthenticate} from '#server/auth/authenticate.ts'
import type {ServerDeps} from '#server/deps.ts'
import {createPageServer} from '#server/http/page.ts'
import {createRouter} from '#server/http/router.ts'
import {siteRoutes} from '#server/platform/sites.routes.ts'
import {sites} from '#server/store/schema/platform.ts'
import {createTestServer, type TestServer} from './harness.ts'
import {ask} from './platform.fixtures.ts'

/* The page is there without the database: only the words of its site come from it. */

const origin = 'https://ai.example.org'
const indexHtml = readFileSync(resolve(import.meta.dirname, '../../index.html'), 'utf8')
const files = {serve: () => Promise.resolve(undefined), indexHtml, messagesPath: () => undefined, assets: () => []}

const handlerOf = (deps: ServerDeps) =>
  createRouter(deps, {
    routes: siteRoutes(deps),
    authenticate: createAuthenticate(deps),
    servePage: createPageServer(deps, files),
  })

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({config: {publicOrigins: [origin]}, handler: handlerOf})
})
afterAll(() => server.close())

/** A process of its own, whose database answers like this. */
function createNode(answer?: () => Promise<never>) {
  const {database} = server.deps
  let isAway = answer !== undefined
  const real = {...database}
  const gate =
    <T extends (...values: never[]) => unknown>(work: T) =>
    (...values: Parameters<T>) =>
      isAway && answer ? answer() : work(...values)
  const deps = {
    ...server.deps,
    database: {
      ...real,
      asSystem: gate(real.asSystem) as typeof real.asSystem, // as: generic in its result
      asSystemOnce: gate(real.asSystemOnce) as typeof real.asSystemOnce, // as: generic in its result
    },
  }
  const handle = handlerOf(deps)
  return {
    setAway: (value: boolean) => {
      isAway = value
    },
    read: async (method = 'GET') => {
      const response = await handle(new Request(`${origin}/chatgpt`, {method}))
      return {status: response.status, title: /<title>([^<]*)/.exec(await response.text())?.[1]}
    },
  }
}

const away = () => Promise.reject(new Error('connection refused'))
const full = () => new Promise<never>(() => undefined)

const call = (title: string, admins: string[] = []) =>
  server.deps.database.asSystem((transaction) =>
    transaction
      .insert(sites)
      .values({origin, title, admins})
      .onConflictDoUpdate({target: sites.origin, set: {title, admins}})
      .returning(),
  )

test.each([
  ['away', away],
  ['full', full],
])('with the database %s the page is there, without the words of its site', async (_, answer) => {
  const node = createNode(answer)
  expect(await node.read()).toEqual({status: 200, title: 'Atrium'})
  expect((await node.read('HEAD')).status).toBe(200)
})

test('what was known stays while the database is away, and is read again after it', async () => {
  onTestFinished(server.holdClock())
  await call('Foo')
  const node = createNode(away)
  node.setAway(false)
  expect((await node.read()).title).toBe('Foo')
  node.setAway(true)
  server.advance(60_000)
  expect(await node.read()).toEqual({status: 200, title: 'Foo'})
  await call('Bar')
  node.setAway(false)
  expect((await node.read()).title).toBe('Foo')
  server.advance(5_000)
  expect((await node.read()).title).toBe('Bar')
})

test('a page asks for it once in five seconds', async () => {
  onTestFinished(server.holdClock())
  let asked = 0
  const node = createNode(() => {
    asked += 1
    return away()
  })
  await Promise.all([node.read(), node.read(), node.read()])
  await node.read()
  expect(asked).toBe(1)
})

test('a change is in the next page of the node that saved it', async () => {
  onTestFinished(server.holdClock())
  const {accessToken, user} = await server.createUser()
  const [row] = await call('Before', [user.id])
  const read = async () => /<title>([^<]*)/.exec(await (await server.handle(new Request(`${origin}/`))).text())?.[1]
  server.advance(5_000)
  expect(await read()).toBe('Before')
  const saved = await ask(server, 'PUT', `/sites/${row?.id}`, {token: accessToken, body: {title: 'After'}, origin})
  expect(saved.status).toBe(200)
  expect(await read()).toBe('After')
})
