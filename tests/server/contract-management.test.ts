import {lastValueFrom, toArray} from 'rxjs'
import {ApiError} from '#api/api-error.ts'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {chatServiceId} from '#contract/chat.ts'
import type {TestServer, TestUser} from './harness.ts'
import {testOrigin} from './harness.ts'
import {createClients, createContractServer} from './contract.fixtures.ts'
import {servedCapabilities} from './chat-capabilities.ts'

/* Every management call of spec §7, made by the app's own client on the whole server. */

let installation: Awaited<ReturnType<typeof createContractServer>>
let server: TestServer
let operator: TestUser
beforeAll(async () => {
  installation = await createContractServer()
  server = installation.server
  operator = await server.createUser()
})
afterAll(() => installation.close())

const times = {created_at: expect.any(String), updated_at: expect.any(String)}

/** Identifiers out of a path: which call it was. */
const callOf = ({method, path}: {method: string; path: string}) =>
  `${method} ${path
    .replace('/services/platform/api/v1', '')
    .replace(/\?.*$/, '')
    .replace(/\/[\w-]{36}$/, '/{id}')}`

test('each call of the specification goes to its address, is answered and understood', async () => {
  const {management, sent} = createClients(server, {token: operator.accessToken})
  const {applications, credentials, services, sites, users, exchangeRate} = management

  const application = await applications.create({type: 'Usage', scope: 'Global', user_id: operator.user.id})
  expect(application).toEqual({
    id: expect.any(String),
    type: 'Usage',
    scope: 'Global',
    user_id: operator.user.id,
    packages: [],
    credentials: [],
    remaining_amount: 10,
    used_amount: 0,
    ...times,
  })
  expect(await applications.get(application.id)).toEqual(application)
  expect(await applications.update(application.id, application)).toEqual(application)

  const credential = await credentials.create({application_id: application.id, host: testOrigin})
  expect(credential).toEqual({
    id: expect.any(String),
    type: 'Token',
    host: testOrigin,
    token: expect.stringMatching(/^sk-atrium-[\w-]{43}$/),
    masked_token: `sk-atrium-…${credential.token?.slice(-4)}`,
    used_amount: 0,
    expired_at: expect.any(String),
    application_id: application.id,
    user_id: operator.user.id,
    ...times,
  })
  expect(await credentials.get(credential.id)).toEqual(credential)
  expect(await credentials.list({application_id: application.id})).toEqual({count: 1, items: [credential]})
  expect(
    await applications.list({
      limit: 100,
      offset: 0,
      user_id: operator.user.id,
      ordering: '-created_at',
      type: 'Usage',
      scope: 'Global',
    }),
  ).toEqual({count: 1, items: [{...application, packages: undefined, credentials: [credential]}]})
  await credentials.remove(credential.id)
  await applications.remove(application.id)
  expect(await applications.list({user_id: operator.user.id})).toEqual({count: 0, items: []})

  expect(await services.get(chatServiceId)).toMatchObject({
    id: chatServiceId,
    metadata: {
      capabilities: servedCapabilities,
    },
  })
  const service = await services.create({title: 'foo'})
  const updatedService = await services.update(service.id, {title: 'bar'})
  expect(updatedService).toEqual({...service, title: 'bar', updated_at: expect.any(String)})
  const {count, items} = await services.list({id: [service.id, chatServiceId], limit: 100})
  expect([count, items[0], items[1]?.id]).toEqual([2, updatedService, chatServiceId])
  await services.remove(service.id)

  const site = await sites.initialize(testOrigin)
  const emptySite = {
    id: expect.any(String),
    title: null,
    logo: null,
    favicon: null,
    description: null,
    keywords: [],
    admins: [operator.user.id],
    features: {},
    distribution: {},
    metadata: {},
    tags: [],
    accent: null,
    editable: true,
    ...times,
  }
  expect(site).toEqual({...emptySite, origin: testOrigin})
  expect(await sites.findByOrigin(testOrigin)).toEqual(site)
  expect(await sites.get(site.id ?? '')).toEqual(site)
  const renamedSite = {...site, title: 'Foo'}
  expect(await sites.update(site.id ?? '', renamedSite)).toEqual({...renamedSite, updated_at: expect.any(String)})
  const second = await sites.create({origin: 'https://foo.example.com', title: 'Bar'})
  expect(second).toEqual({...emptySite, origin: 'https://foo.example.com', title: 'Bar'})

  const me = await users.me()
  expect(me).toEqual({
    id: operator.user.id,
    username: operator.user.email.replace(/@.*/, ''),
    email: operator.user.email,
    nickname: operator.user.nickname,
    date_joined: expect.any(String),
    is_verified: false,
  })
  expect(await users.updateMe({nickname: 'Foo'})).toEqual({...me, nickname: 'Foo'})
  expect(await users.invitees({limit: 10, offset: 0, ordering: '-created_at'})).toEqual({count: 0, items: []})
  expect(await users.verification()).toEqual({verified: false})
  await expect(users.verify('foo')).rejects.toEqual(
    new ApiError({code: 'bad_request', detail: 'Dieser Code stimmt nicht.', status: 400, field: 'code'}),
  )

  expect(await exchangeRate('usd', 'eur')).toEqual({
    source: 'usd',
    target: 'eur',
    rate: expect.any(Number),
    date: '2026-01-02',
  })

  expect(new Set(sent.map(callOf))).toEqual(
    new Set([
      'GET /applications/',
      'GET /applications/{id}',
      'POST /applications/',
      'PUT /applications/{id}',
      'DELETE /applications/{id}',
      'GET /services/',
      'GET /services/{id}',
      'POST /services/',
      'PUT /services/{id}',
      'DELETE /services/{id}',
      'GET /credentials/',
      'GET /credentials/{id}',
      'POST /credentials/',
      'DELETE /credentials/{id}',
      'POST /sites/initialize/',
      'GET /sites/',
      'GET /sites/{id}',
      'POST /sites/',
      'PUT /sites/{id}',
      'GET /users/me',
      'PUT /users/me',
      'GET /users/me/invitees',
      'GET /users/verify',
      'PUT /users/verify',
      'POST /exchange-rate',
    ]),
  )
})

test('calls carry who asks, lists repeat the keys of arrays and leave out what is unknown', async () => {
  const {accessToken, user} = await server.createUser()
  const {management, sent} = createClients(server, {token: accessToken})
  await management.applications.list({
    user_id: user.id,
    service_id: [chatServiceId, user.id],
    limit: undefined,
  })
  expect(sent.map(({path}) => path)).toEqual([
    `/services/platform/api/v1/applications/?user_id=${user.id}&service_id=${chatServiceId}&service_id=${user.id}`,
  ])
  expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
    accept: 'application/json',
    authorization: `Bearer ${accessToken}`,
    'accept-language': 'de',
    'content-type': 'application/json',
    origin: testOrigin,
    'x-fingerprint': 'foo',
    'x-user-id': 'bar',
  })
})

describe('refusals are understood', () => {
  test('a token that is no longer good says which it was', async () => {
    const {management, rejected} = createClients(server, {token: 'nonsense-nonsense-nonsense'})
    await expect(management.users.me()).rejects.toHaveProperty('status', 401)
    expect(rejected).toEqual(['nonsense-nonsense-nonsense'])
  })

  test('a user who is no operator writes no service', async () => {
    const member = await server.createUser()
    const {management} = createClients(server, {token: member.accessToken})
    await expect(management.services.create({title: 'foo'})).rejects.toHaveProperty('status', 403)
    await expect(management.services.remove(chatServiceId)).rejects.toHaveProperty('status', 403)
  })

  test('a second general application is a duplication', async () => {
    const member = await server.createUser()
    const {management} = createClients(server, {token: member.accessToken})
    await management.applications.create({type: 'Usage', scope: 'Global'})
    await expect(management.applications.create({type: 'Usage', scope: 'Global'})).rejects.toEqual(
      new ApiError({code: 'duplication', detail: 'Du hast diese Anwendung bereits.', status: 409}),
    )
  })

  test('what belongs to another user is not there', async () => {
    const member = await server.createUser()
    const own = await createClients(server, {token: member.accessToken}).management.applications.create({
      type: 'Usage',
      scope: 'Global',
    })
    const {management} = createClients(server, {token: operator.accessToken})
    await expect(management.applications.get(own.id)).rejects.toHaveProperty('status', 404)
    await expect(management.credentials.create({application_id: own.id, host: testOrigin})).rejects.toHaveProperty(
      'status',
      404,
    )
  })

  test.each([
    ['an origin with a path', {origin: 'https://foo.example.com/bar'}, 'origin'],
    ['a title that is too long', {origin: 'https://bar.example.com', title: 'a'.repeat(201)}, 'title'],
  ])('%s names its field', async (_, body, field) => {
    const {management} = createClients(server, {token: operator.accessToken})
    await expect(management.sites.create(body)).rejects.toMatchObject({status: 400, field})
  })
})

describe('files', () => {
  const upload = (token: string | undefined, file: File) =>
    lastValueFrom(createClients(server, {token}).files.upload$(file).pipe(toArray()))

  test('are sent as one part and named by an address that gives their bytes back', async () => {
    const {accessToken} = await server.createUser()
    const events = await upload(accessToken, new File(['hello'], 'hé llo.txt', {type: 'text/plain'}))
    expect(events).toEqual([
      {type: 'upload.progressed', percent: 100},
      {
        type: 'upload.finished',
        file: {
          file_url: expect.stringContaining(`${testOrigin}/services/platform/api/v1/files/`),
          id: expect.any(String),
          name: 'hé llo.txt',
          type: 'text/plain',
          size: 5,
        },
      },
    ])
    const [, finished] = events
    if (finished?.type !== 'upload.finished') throw new Error('no file')
    const response = await server.handle(new Request(finished.file.file_url))
    expect([response.status, await response.text()]).toEqual([200, 'hello'])
  })

  test('get another address from their owner, and the old one is gone', async () => {
    const {accessToken} = await server.createUser()
    const events = await upload(accessToken, new File(['hello'], 'foo.txt', {type: 'text/plain'}))
    const [, finished] = events
    if (finished?.type !== 'upload.finished') throw new Error('no file')
    const {management} = createClients(server, {token: accessToken})
    const renewed = await management.renewFile(finished.file.id ?? '')
    expect(renewed).toEqual({
      file_url: expect.stringContaining(`${testOrigin}/services/platform/api/v1/files/`),
      id: expect.any(String),
      name: 'foo.txt',
      type: 'text/plain',
      size: 5,
    })
    expect(await (await server.handle(new Request(renewed.file_url))).text()).toBe('hello')
    expect((await server.handle(new Request(finished.file.file_url))).status).toBe(404)
  })

  test('without a token are refused with the code of the contract', async () => {
    await expect(upload(undefined, new File(['hello'], 'hello.txt'))).rejects.toHaveProperty('status', 401)
  })
})
