import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {accountSessionPage} from '#contract/account.ts'
import {checkPassword} from '#server/auth/users.ts'
import {createAccounts, password} from './account.fixtures.ts'
import {createContractServer} from './contract.fixtures.ts'
import {testOrigin, type TestServer} from './harness.ts'
import {ask} from './platform.fixtures.ts'

/* The whole server runs here: a key of an account opens other services. */

let installation: Awaited<ReturnType<typeof createContractServer>>
let server: TestServer
beforeAll(async () => {
  installation = await createContractServer()
  server = installation.server
  await server.createUser() // the operator
})
afterAll(() => installation.close())

const {createKey, createUser, me, post, retrieve, signIn} = createAccounts(() => server)

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
    expect(await checkPassword(server.deps, user.user.email, 'a new password')).toHaveProperty('id', user.user.id)
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
    expect(await checkPassword(server.deps, user.user.email, password)).toHaveProperty('id', user.user.id)
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
    expect(body).toEqual({
      count: 2,
      items: [
        {
          id: user.familyId,
          current: true,
          client: testOrigin,
          created_at: expect.any(String),
          expires_at: expect.any(String),
        },
        {
          id: other.familyId,
          current: false,
          client: testOrigin,
          agent: 'Foo/1.0',
          created_at: expect.any(String),
          expires_at: expect.any(String),
        },
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
