import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {managementHeaders} from '#api/management.ts'
import {chatServiceId} from '#contract/chat.ts'
import {createWholeManagement} from '../api/whole-management.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {createPlatform} from './platform.fixtures.ts'

/* The app's own client on this server: what one sends the other takes, and the other way round. */

let server: TestServer
let user: TestUser
let rejected: (string | undefined)[]
beforeAll(async () => {
  server = await createPlatform()
})
beforeEach(async () => {
  user = await server.createUser({role: 'operator'})
})
afterAll(() => server.close())

const clientOf = (accessToken: string | undefined) => {
  rejected = []
  return createWholeManagement({
    baseUrl: `${testOrigin}/services/platform`,
    fetch: (input, init) => {
      const request = new Request(input, init)
      request.headers.set('origin', testOrigin)
      return server.handle(request)
    },
    headers: () => managementHeaders({accessToken, language: 'de', fingerprint: 'foo', userId: 'bar'}),
    onUnauthorized: ({bearer}) => rejected.push(bearer),
    log: () => undefined,
  })
}

describe('the app at work', () => {
  test('sets a tool up: service, applications, application, credential', async () => {
    const api = clientOf(user.accessToken)
    const service = await api.services.get(chatServiceId)
    expect(service.metadata).toEqual({
      models: [{name: 'gpt-4o', group: 'chatgpt', provider: 'sandbox', enabled: true}],
      sandbox: true,
      capabilities: ['resume', 'stop'],
    })
    const wallet = {
      limit: 100,
      offset: 0,
      user_id: user.user.id,
      ordering: '-created_at',
      type: 'Usage',
      scope: 'Global',
    } as const
    expect(await api.applications.list(wallet)).toEqual({count: 0, items: []})
    const application = await api.applications.create({type: 'Usage', scope: 'Global', user_id: user.user.id})
    await expect(api.applications.create({type: 'Usage', scope: 'Global'})).rejects.toEqual(
      new ApiError({code: 'duplication', detail: 'Du hast diese Anwendung bereits.', status: 409}),
    )
    const credential = await api.credentials.create({application_id: application.id, host: testOrigin})
    const {items} = await api.applications.list(wallet)
    expect(items).toMatchObject([
      {
        id: application.id,
        remaining_amount: 10,
        credentials: [{id: credential.id, token: credential.token, host: testOrigin}],
      },
    ])
    expect(await api.applications.list({user_id: user.user.id, service_id: [chatServiceId]})).toEqual({
      count: 0,
      items: [],
    })
    expect(await api.applications.update(application.id, items[0]!)).toEqual({...items[0], packages: []})
    await api.credentials.remove(credential.id)
    await expect(api.credentials.get(credential.id)).rejects.toHaveProperty('status', 404)
  })

  test('opens its site and writes the whole of it back', async () => {
    const api = clientOf(user.accessToken)
    expect(await api.sites.findByOrigin(testOrigin)).toBeUndefined()
    const made = await api.sites.initialize(testOrigin)
    const written = await api.sites.update(made.id!, {...made, title: 'Foo', features: {sora: {enabled: true}}})
    expect(await clientOf(undefined).sites.findByOrigin(testOrigin)).toMatchObject({title: 'Foo', origin: testOrigin})
    expect(await api.sites.get(made.id!)).toEqual(written)
  })

  test('knows and changes the user, and lists whom they invited', async () => {
    const api = clientOf(user.accessToken)
    expect((await api.users.updateMe({nickname: 'Foo', gender: 2})).nickname).toBe('Foo')
    expect(await api.users.me()).toEqual({
      id: user.user.id,
      nickname: 'Foo',
      username: expect.any(String),
      email: expect.any(String),
      gender: 2,
      date_joined: expect.any(String),
      is_verified: false,
    })
    const invitee = await server.createUser({inviters: [user.user.id]})
    expect(await api.users.invitees({limit: 10, offset: 0, ordering: '-created_at'})).toEqual({
      count: 1,
      items: [
        {
          id: invitee.user.id,
          username: expect.stringMatching(/^.\*{3}@example\.com$/),
          email: expect.stringMatching(/^.\*{3}@example\.com$/),
          nickname: 'foo',
          date_joined: expect.any(String),
        },
      ],
    })
    expect(await api.users.verification()).toEqual({verified: false})
    await expect(api.users.verify('foo')).rejects.toEqual(
      new ApiError({code: 'bad_request', detail: 'Dieser Code stimmt nicht.', status: 400, field: 'code'}),
    )
  })

  test('asks for a rate before anybody signed in', async () => {
    const {rate} = await clientOf(undefined).exchangeRate('usd', 'eur')
    expect(rate).toBeGreaterThan(0)
    await expect(clientOf(undefined).exchangeRate('usd', 'xyz')).rejects.toHaveProperty('status', 404)
  })

  test('an operator writes services with the object it read', async () => {
    const api = clientOf(user.accessToken)
    const made = await api.services.create({title: 'foo'})
    expect((await api.services.update(made.id, {title: 'bar'})).title).toBe('bar')
    await api.services.remove(made.id)
    expect((await api.services.list({id: [made.id]})).count).toBe(0)
  })

  test('is told when its token is no longer good', async () => {
    const api = clientOf('nonsense-nonsense-nonsense')
    await expect(api.users.me()).rejects.toHaveProperty('status', 401)
    expect(rejected).toEqual(['nonsense-nonsense-nonsense'])
  })
})
