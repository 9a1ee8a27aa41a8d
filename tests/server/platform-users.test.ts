import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {user as userSchema} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import {readVerificationCode} from '#server/admin/accounts.ts'
import {maskedEmail} from '#server/platform/masked-email.ts'
import {verificationCode} from '#server/platform/verification.ts'
import {users} from '#server/store/schema/people.ts'
import type {TestServer, TestUser} from './harness.ts'
import {ask, createPlatform} from './platform.fixtures.ts'

let server: TestServer
let owner: TestUser
beforeAll(async () => {
  server = await createPlatform()
  await server.createUser()
})
beforeEach(async () => {
  owner = await server.createUser()
})
afterAll(() => server.close())

const me = async (token: string) => (await ask(server, 'GET', '/users/me', {token})).body
const put = (body: object, token: string) => ask(server, 'PUT', '/users/me', {token, body})
const stored = async () => {
  const [row] = await server.deps.database.asSystem((transaction) =>
    transaction.select().from(users).where(eq(users.id, owner.user.id)),
  )
  return row!
}

describe('users/me', () => {
  test('is the user of the token, whatever x-user-id says', async () => {
    const {user, accessToken} = await server.createUser({email: 'new@example.com', nickname: undefined})
    const {body} = await ask(server, 'GET', '/users/me', {token: accessToken, headers: {'x-user-id': owner.user.id}})
    expect(body).toEqual({
      id: user.id,
      username: 'new',
      email: 'new@example.com',
      date_joined: user.createdAt.toISOString(),
      is_verified: false,
    })
    expect(z.safeParse(userSchema, body).success).toBe(true)
  })

  test('takes the whole object back with changed keys; empty text clears', async () => {
    const {accessToken} = await server.createUser({email: 'changed@example.com', nickname: undefined})
    const {body} = await put({...(await me(accessToken)), nickname: ' Foo ', city: 'Bar', gender: 1}, accessToken)
    expect(body).toEqual({
      username: 'changed',
      nickname: 'Foo',
      city: 'Bar',
      gender: 1,
      id: expect.any(String),
      email: 'changed@example.com',
      date_joined: expect.any(String),
      is_verified: false,
    })
    expect((await put({nickname: '', city: ''}, accessToken)).body).toEqual({
      ...body,
      username: 'changed',
      nickname: undefined,
      city: undefined,
    })
  })

  test.each([
    ['id', '00000000-0000-4000-8000-000000000000'],
    ['email', 'bar@example.com'],
    ['username', 'operator'],
    ['is_verified', true],
    ['date_joined', '2020-01-01T00:00:00.000Z'],
    ['role', 'operator'],
    ['balance', 100],
    ['passwordHash', 'x'],
    ['avatar', 'https://foreign.example/avatar.png'],
    ['gender', 1.5],
  ])('cannot set %s to %j', async (key, value) => {
    const before = await stored()
    const {status, body} = await put({nickname: 'bar', [key]: value}, owner.accessToken)
    expect([status, body.code, body.field]).toEqual([400, 'bad_request', key])
    expect(await stored()).toEqual(before)
  })
})

describe('invitees', () => {
  test('are listed newest first with masked addresses, and only to their inviter', async () => {
    const inviter = await server.createUser()
    const names = ['anna@example.com', 'bert@example.com', 'carl@example.com']
    for (const email of names) {
      server.advance(1000)
      await server.createUser({email, nickname: undefined, inviters: [inviter.user.id]})
    }
    const list = async (query: string, token = inviter.accessToken) =>
      (await ask(server, 'GET', `/users/me/invitees${query}`, {token})).body
    const all = await list('')
    expect(all.count).toBe(3)
    expect(all.items.map((item: {email: string}) => item.email)).toEqual([
      'c***@example.com',
      'b***@example.com',
      'a***@example.com',
    ])
    expect(JSON.stringify(all)).not.toMatch(/anna|bert|carl/)
    expect((await list('?limit=1&offset=1')).items).toEqual([all.items[1]])
    expect((await list('?ordering=created_at')).items).toEqual(all.items.toReversed())
    expect((await list('', owner.accessToken)).count).toBe(0)
    const wrong = await ask(server, 'GET', '/users/me/invitees?ordering=password_hash', {token: inviter.accessToken})
    expect([wrong.status, wrong.body.field]).toEqual([400, 'ordering'])
  })

  test.each([
    ['foo@example.com', 'f***@example.com'],
    ['f@example.com', 'f***@example.com'],
    ['"a@b"@example.com', '"***@example.com'],
    ['😀foo@example.com', '😀***@example.com'],
    ['no address', '***'],
  ])('%s is shown as %s', (email, masked) => {
    expect(maskedEmail(email)).toBe(masked)
  })
})

describe('users/verify', () => {
  const verify = (token: string, code: string) => ask(server, 'PUT', '/users/verify', {token, body: {code}})

  test('the code of the account confirms it, in any case and with spaces, once and for good', async () => {
    const account = await server.createUser()
    const code = verificationCode(server.deps.secrets, account.user)
    expect(code).toMatch(/^[A-Z0-9]{10}$/)
    expect((await ask(server, 'GET', '/users/verify', {token: account.accessToken})).body).toEqual({verified: false})
    const typed = `${code.slice(0, 5).toLowerCase()} ${code.slice(5)}`
    const {body} = await verify(account.accessToken, typed)
    expect(body).toEqual({verified: true, verified_at: expect.any(String)})
    expect((await verify(account.accessToken, code)).body).toEqual(body)
    expect((await ask(server, 'GET', '/users/verify', {token: account.accessToken})).body).toEqual(body)
    expect((await ask(server, 'GET', '/users/me', {token: account.accessToken})).body.is_verified).toBe(true)
  })

  test('the operator reads the code by the address', async () => {
    const {deps} = server
    const code = await readVerificationCode(deps.database, deps.secrets, owner.user.email.toUpperCase())
    expect(code).toBe(verificationCode(deps.secrets, owner.user))
    await expect(readVerificationCode(deps.database, deps.secrets, 'nobody@example.com')).rejects.toThrow(
      'There is no account',
    )
  })

  test('the code of another account, another address or none does not', async () => {
    const account = await server.createUser()
    for (const other of [owner.user, {...account.user, email: 'other@example.com'}]) {
      const wrong = await verify(account.accessToken, verificationCode(server.deps.secrets, other))
      expect([wrong.status, wrong.body.field]).toEqual([400, 'code'])
    }
    expect((await verify(account.accessToken, '0000000000')).status).toBe(400)
  })

  test('guessing is limited', async () => {
    const limited = await createPlatform({config: {limitFactor: 1}})
    try {
      const account = await limited.createUser()
      const guess = () => ask(limited, 'PUT', '/users/verify', {token: account.accessToken, body: {code: 'AAAAAAAAAA'}})
      const statuses: number[] = []
      for (let index = 0; index < 12; index += 1) statuses.push((await guess()).status)
      expect(statuses.at(-1)).toBe(429)
    } finally {
      await limited.close()
    }
  })
})
