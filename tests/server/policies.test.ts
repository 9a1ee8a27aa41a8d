import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {createApplication, type Backend} from '#server/handler.ts'
import type {Route} from '#server/http/route.ts'
import {servicePrefix} from '#server/http/router.ts'
import {createTestServer, type TestServer, type TestUser} from './harness.ts'

let server: TestServer
let application: Backend
let member: TestUser
let operator: TestUser
beforeAll(async () => {
  server = await createTestServer({
    handler: (deps) => {
      application = createApplication(deps)
      return application.handle
    },
  })
  operator = await server.createUser()
})
beforeEach(async () => {
  member = await server.createUser()
})
afterAll(() => server.close())

const nameOf = ({service, method, path}: Route) => `${method} ${service} ${path}`
const addressOf = ({service, path}: Route) =>
  servicePrefix(service) + path.replace(/:\w+/g, '11111111-1111-4111-8111-111111111111')
const call = (route: Route, token?: string) =>
  server.call(route.method, addressOf(route), {
    token,
    ...(route.method === 'GET' || route.accepts !== undefined ? {} : {body: {}}),
  })

/** Every route that is not on this list asks for a token. Adding a public route means adding it here. */
const publicRoutes = [
  'GET auth /auth/login',
  'GET auth /auth/logout',
  'GET auth /auth/register',
  'GET platform /api/v1/files/:id/:name',
  'GET platform /api/v1/shares/:id',
  'GET platform /api/v1/shares/:id/files/:handle/:name',
  'GET platform /api/v1/sites/',
  'GET platform /payments/sandbox/:handle',
  'GET platform /terms',
  'POST auth /auth/login',
  'POST auth /auth/register',
  'POST auth /oauth2/v1/revoke',
  'POST auth /oauth2/v1/token',
  'POST auth /sso/v1/token',
  'POST platform /api/v1/exchange-rate',
  'POST platform /payments/sandbox/:handle',
]

describe('the route table (R19)', () => {
  test('exactly the known routes are public', () => {
    expect(
      application.routes
        .filter(({policy}) => policy === 'public')
        .map(nameOf)
        .sort(),
    ).toEqual(publicRoutes)
  })

  test('no address is taken twice', () => {
    const names = application.routes.map((route) => nameOf(route).replace(/:\w+/g, ':').replace(/\/$/, ''))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('what reads has no body, and what takes one checks it', () => {
    const unchecked = application.routes.filter(
      ({method, body, accepts}) =>
        (method === 'GET' && body !== undefined) || (accepts === 'form' && body === undefined),
    )
    expect(unchecked.map(nameOf)).toEqual([])
  })

  test('without a token, with a wrong one and with one of another kind every other route is 401', async () => {
    const seen: Record<string, number[]> = {}
    for (const route of application.routes.filter(({policy}) => policy !== 'public')) {
      const tokens = [
        undefined,
        'at-' + 'x'.repeat(40),
        ...(route.policy === 'credential' ? [member.accessToken] : ['sk-atrium-' + 'x'.repeat(40)]),
      ]
      seen[nameOf(route)] = await Promise.all(tokens.map(async (token) => (await call(route, token)).status))
    }
    expect(Object.keys(seen).length).toBeGreaterThan(15)
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((name) => [name, [401, 401, 401]])))
  })

  test('routes of the operator refuse everybody else', async () => {
    const routes = application.routes.filter(({policy}) => policy === 'operator')
    expect(routes.length).toBeGreaterThan(0)
    for (const route of routes) {
      expect([nameOf(route), (await call(route, member.accessToken)).status]).toEqual([nameOf(route), 403])
      expect([nameOf(route), (await call(route, operator.accessToken)).status]).not.toEqual([nameOf(route), 403])
    }
  })

  test('no answer to a stranger, whatever it is, is a server fault', async () => {
    for (const route of application.routes) {
      const {status} = await call(route)
      expect([nameOf(route), status]).toEqual([nameOf(route), expect.toSatisfy((code: number) => code < 500)])
    }
  })
})
