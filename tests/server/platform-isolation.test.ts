import {randomUUID} from 'node:crypto'
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest'
import {chatServiceId} from '#contract/chat.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, base, catalogue, createPlatform} from './platform.fixtures.ts'
import {apiIdOf, chatApi} from '#server/platform/service-apis.ts'
import {conversations} from '#server/store/schema/chat.ts'
import {usages} from '#server/store/schema/credits.ts'
import {platformRoutes} from '#server/platform/platform.routes.ts'

/*
 * Security R79: every route of the platform, with nobody's token, with a credential's, and with B's token on A's ids.
 * The table of routes itself is walked, so a route that is added without an entry here fails.
 */

let server: TestServer
let owner: TestUser
let other: TestUser
let ids: Record<string, string>
let fileAddress: string
let credentialToken: string
beforeAll(async () => {
  server = await createPlatform()
  const operator = await server.createUser()
  owner = await server.createUser()
  const post = async (path: string, body: object, token = owner.accessToken) =>
    (await ask(server, 'POST', path, {token, body})).body
  const site = await post('/sites/', {origin: 'https://foo.example', admins: [owner.user.id]}, operator.accessToken)
  const application = await post('/applications/', {type: 'Usage', scope: 'Global'})
  const credential = await post('/credentials/', {application_id: application.id})
  const form = new FormData()
  form.set('file', new File(['foo'], 'foo.txt'))
  const file = await (await server.call('POST', `${base}/files/`, {token: owner.accessToken, body: form})).json()
  credentialToken = credential.token
  fileAddress = new URL(file.file_url).pathname
  const usageId = randomUUID()
  const promptId = randomUUID()
  const prompt = {name: 'foo', text: 'only of A'}
  await ask(server, 'PUT', `/prompts/${promptId}`, {token: owner.accessToken, body: prompt})
  await server.deps.database.asSystem((transaction) =>
    transaction.insert(usages).values({
      id: usageId,
      userId: owner.user.id,
      applicationId: application.id,
      apiId: apiIdOf(chatApi),
      statusCode: 200,
      traceId: 'foo',
    }),
  )
  const conversationId = randomUUID()
  await server.deps.database.asSystem((transaction) =>
    transaction.insert(conversations).values({id: conversationId, userId: owner.user.id, model: 'foo', title: 'foo'}),
  )
  const share = await post('/shares/', {conversation_id: conversationId, attachments: true})
  ids = {
    '/sites/:id': site.id,
    '/applications/:id': application.id,
    '/credentials/:id': credential.id,
    '/services/:id': chatServiceId,
    '/files/:id': file.id,
    '/files/:id/renew': file.id,
    '/apis/:id': apiIdOf(chatApi),
    '/services/:id/apis/': chatServiceId,
    '/usage/apis/:id': usageId,
    '/shares/': conversationId,
    '/shares/:id': share.id,
    '/prompts/:id': promptId,
  }
})
beforeEach(async () => {
  other = await server.createUser()
})
/** Whatever a case asked for, A's things are as they were. */
afterEach(async () => {
  const paths = ['/sites/:id', '/applications/:id', '/credentials/:id', '/usage/apis/:id', '/shares/:id']
  for (const path of paths) expect([path, (await request('GET', path, owner.accessToken)).status]).toEqual([path, 200])
  expect((await server.call('GET', fileAddress, {origin: null})).status).toBe(200)
  const {body} = await ask(server, 'GET', '/prompts/', {token: owner.accessToken})
  expect(body.items.map(({id}: {id: string}) => id)).toEqual([ids['/prompts/:id']])
})
afterAll(() => server.close())

type Answer = 'own' | 'missing' | 'operators' | 'shared' | 'public'
/** The subject of each route: the caller's own rows, rows that only exist for their owner, or something shared. */
const expected: Record<string, Answer> = {
  'GET /sites/': 'public',
  'POST /sites/initialize/': 'shared',
  'POST /sites/': 'operators',
  'GET /sites/:id': 'missing',
  'PUT /sites/:id': 'missing',
  'GET /users/me': 'own',
  'PUT /users/me': 'own',
  'GET /users/me/invitees': 'own',
  'GET /users/verify': 'own',
  'PUT /users/verify': 'own',
  'GET /services/': 'shared',
  'GET /services/:id': 'shared',
  'POST /services/': 'operators',
  'PUT /services/:id': 'operators',
  'DELETE /services/:id': 'operators',
  'GET /applications/': 'own',
  'GET /applications/:id': 'missing',
  'POST /applications/': 'own',
  'PUT /applications/:id': 'missing',
  'DELETE /applications/:id': 'missing',
  'GET /credentials/': 'own',
  'GET /credentials/:id': 'missing',
  'POST /credentials/': 'missing',
  'DELETE /credentials/:id': 'missing',
  'POST /exchange-rate': 'public',
  'GET /apis/': 'shared',
  'GET /apis/:id': 'shared',
  'GET /services/:id/apis/': 'shared',
  'GET /usage/apis/': 'own',
  'GET /usage/apis/:id': 'missing',
  'GET /usage/totals': 'own',
  'GET /usage/export': 'own',
  'POST /distribution-statuses/initialize/': 'own',
  'GET /distribution-statuses/': 'own',
  'GET /distribution-levels/': 'shared',
  'GET /distribution-histories/': 'own',
  'POST /shorturl': 'own',
  'GET /prompts/': 'own',
  // a prompt has its id of its user: another user's is another prompt
  'PUT /prompts/:id': 'own',
  'DELETE /prompts/:id': 'missing',
  'GET /instructions': 'own',
  'PUT /instructions': 'own',
  'GET /favourite-models': 'own',
  'PUT /favourite-models': 'own',
  'GET /terms': 'public',
  'POST /files/': 'own',
  // The address is the capability (security R28): 128 random bits that only the owner was given.
  'GET /files/:id/:name': 'public',
  'DELETE /files/:id': 'missing',
  'POST /files/:id/renew': 'missing',
  'GET /shares/': 'own',
  'POST /shares/': 'missing',
  'PUT /shares/:id': 'missing',
  'DELETE /shares/:id': 'missing',
  // The link is the capability: 128 random bits that its owner gives to readers (docs/decisions/0059).
  'GET /shares/:id': 'public',
  'GET /shares/:id/files/:handle/:name': 'public',
}

const bodyOf = (route: string): object | undefined => {
  if (route.startsWith('GET') || route.startsWith('DELETE')) return undefined
  if (route === 'POST /credentials/') return {application_id: ids['/applications/:id']}
  if (route === 'POST /sites/initialize/') return {origin: testOrigin}
  if (route === 'PUT /users/verify') return {code: 'foo'}
  if (route === 'POST /shares/') return {conversation_id: ids['/shares/'], attachments: true}
  if (route === 'PUT /shares/:id') return {attachments: true}
  if (route.includes('/services/')) return {title: 'foo'}
  return {}
}
const routes = Object.keys(expected).map((route) => route.split(' ') as [string, string])
const request = (method: string, path: string, token: string | undefined, id = ids[path]) =>
  ask(server, method, path.replace(':id', id ?? ''), {
    token,
    ...(path === '/files/' ? {body: fileForm()} : {body: bodyOf(`${method} ${path}`)}),
  })
const fileForm = () => {
  const form = new FormData()
  form.set('file', new File(['bar'], 'bar.txt'))
  return form
}

test('the table below is the table of routes', () => {
  const names = platformRoutes(server.deps, catalogue).map(
    (route) => `${route.method} ${route.path.replace('/api/v1', '')}`,
  )
  expect(names.sort()).toEqual(Object.keys(expected).sort())
})

test.each(routes.filter(([method, path]) => expected[`${method} ${path}`] !== 'public'))(
  '%s %s answers 401 to nobody, to nonsense and to a credential',
  async (method, path) => {
    for (const token of [undefined, 'nonsense-nonsense-nonsense', credentialToken]) {
      const {status, body} = await request(method, path, token)
      expect([status, body.code]).toEqual([401, 'invalid_token'])
    }
  },
)

test.each(routes.filter(([method, path]) => expected[`${method} ${path}`] === 'missing'))(
  "%s %s answers B on A's id exactly as on no id",
  async (method, path) => {
    const foreign = await request(method, path, other.accessToken)
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
    if (path.includes(':id')) {
      const missing = await request(
        method,
        path,
        other.accessToken,
        path === '/files/:id' || path === '/shares/:id' ? 'A'.repeat(22) : '00000000-0000-4000-8000-000000000000',
      )
      expect(missing.body).toEqual(foreign.body)
    }
  },
)

test.each(routes.filter(([method, path]) => expected[`${method} ${path}`] === 'operators'))(
  '%s %s is 403 for a member',
  async (method, path) => {
    expect((await request(method, path, other.accessToken)).status).toBe(403)
  },
)

test("nothing B can list says anything of A's", async () => {
  const lists = ['/sites/', '/users/me', '/users/me/invitees', '/applications/', '/credentials/', '/services/']
  const newer = [
    '/prompts/',
    '/instructions',
    '/favourite-models',
    '/shares/',
    '/usage/apis/',
    '/usage/totals',
    '/distribution-statuses/',
    '/distribution-histories/',
  ]
  for (const path of [...lists, ...newer]) {
    const {body} = await ask(server, 'GET', path, {token: other.accessToken})
    const text = JSON.stringify(body)
    for (const secret of [owner.user.id, owner.user.email, ids['/applications/:id'], ids['/credentials/:id']]) {
      expect(text).not.toContain(secret)
    }
  }
})
