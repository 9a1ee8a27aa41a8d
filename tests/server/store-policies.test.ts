import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {conversations, users} from '#server/store/schema.ts'
import {createTestServer, type TestServer} from './harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const conversationOf = (userId: string) => ({userId, model: 'foo', title: 'bar'})

describe('row-level security (R20)', () => {
  test('every table with a user_id forces it, with an own and a system policy', async () => {
    const {rows} = await server.deps.database.pool.query<{name: string; forced: boolean; policies: string[]}>(`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
        array(select p.polname || ' ' || (p.polqual is not null)::text || ' ' || (p.polwithcheck is not null)::text
          from pg_policy p where p.polrelid = c.oid order by 1) as policies
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`)
    expect(rows.length).toBeGreaterThanOrEqual(13)
    expect(rows.map(({name, ...rest}) => ({[name]: rest}))).toEqual(
      rows.map(({name}) => ({[name]: {forced: true, policies: ['own true true', 'system true true']}})),
    )
  })

  test('a request runs as a role without superuser and without bypass', async () => {
    const {user} = await server.createUser()
    const {rows} = await server.deps.database.asUser(user.id, (transaction) =>
      transaction.execute(
        sql`select current_user as name, rolsuper, rolbypassrls from pg_roles where rolname = current_user`,
      ),
    )
    expect(rows).toEqual([{name: 'atrium_app', rolsuper: false, rolbypassrls: false}])
  })

  test('a person sees, changes and deletes own rows only, and makes none for others', async () => {
    const [one, other] = [await server.createUser(), await server.createUser()]
    const {asUser, asSystem} = server.deps.database
    await asUser(one.user.id, (transaction) => transaction.insert(conversations).values(conversationOf(one.user.id)))
    const seen = (userId: string) => asUser(userId, (transaction) => transaction.select().from(conversations))
    expect(await seen(one.user.id)).toHaveLength(1)
    expect(await seen(other.user.id)).toEqual([])
    await asUser(other.user.id, async (transaction) => {
      await transaction.update(conversations).set({title: 'taken'})
      await transaction.delete(conversations)
    })
    expect((await seen(one.user.id)).map(({title}) => title)).toEqual(['bar'])
    await expect(
      asUser(other.user.id, (transaction) => transaction.insert(conversations).values(conversationOf(one.user.id))),
    ).rejects.toMatchObject({cause: {code: '42501'}})
    expect(await asSystem((transaction) => transaction.select().from(conversations))).toHaveLength(1)
  })

  test('nobody is nobody: without app.user the request role sees no row', async () => {
    await server.deps.database.asSystem(async (transaction) => {
      await transaction.execute(sql`set local role atrium_app`)
      expect(await transaction.select().from(users)).toEqual([])
    })
  })

  test.each(['role', 'email', 'password_hash', 'inviter_id', 'verified_at'])(
    'a request cannot write users.%s',
    async (column) => {
      const {user} = await server.createUser()
      const change = server.deps.database.asUser(user.id, (transaction) =>
        transaction.execute(sql`update users set ${sql.identifier(column)} = null`),
      )
      await expect(change).rejects.toMatchObject({cause: {code: '42501'}})
    },
  )

  test('a request adds a job in its own transaction, and cannot reach the queue in another way', async () => {
    const {user} = await server.createUser()
    const {asUser, pool} = server.deps.database
    const count = async () =>
      (await pool.query<{count: string}>('select count(*) from graphile_worker.jobs')).rows[0]?.count
    const add = sql`select enqueue_job('foo', ${JSON.stringify({bar: 1})}::json, 1)`
    await asUser(user.id, async (transaction) => {
      await transaction.execute(add)
      throw new Error('undo')
    }).catch(() => undefined)
    expect(await count()).toBe('0')
    await asUser(user.id, (transaction) => transaction.execute(add))
    expect(await count()).toBe('1')
    await expect(
      asUser(user.id, (transaction) => transaction.execute(sql`select * from graphile_worker.jobs`)),
    ).rejects.toMatchObject({cause: {code: '42501'}})
  })
})
