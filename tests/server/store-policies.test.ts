import {eq, sql} from 'drizzle-orm'
import pg from 'pg'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {conversations} from '#server/store/schema/chat.ts'
import {users} from '#server/store/schema/people.ts'
import {sites} from '#server/store/schema/platform.ts'
import {silentLog} from '#server/log.ts'
import {createSecrets} from '#server/secrets.ts'
import {openDatabase} from '#server/store/database.ts'
import {prepareRequestLogin} from '#server/store/request-login.ts'
import {createTestServer, type TestServer} from './harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const conversationOf = (userId: string) => ({userId, model: 'foo', title: 'bar'})

describe('row-level security (R20)', () => {
  /** Tables of nobody alone: what a request may do there, and why it is safe. */
  const shared: Record<string, string[]> = {
    users: ['own true true', 'system true true'], // a user is a row of their own, by its id
    sites: ['administer true true', 'read true false', 'system true true'], // a page needs its site before sign-in
    services: ['read true false', 'system true true'], // the catalogue
    installation: ['read true false', 'system true true'], // facts every page is told
    workers: ['system true true'], // the server's own
    build_files: ['system true true'], // as are these
    rate_limits: ['system true true'], // the router's, which counts before it knows who asks
  }
  /** Tables outside of it, with the reason. */
  const unprotected: Record<string, string> = {
    atrium_migrations: 'names of migrations; a request has no right to it',
  }

  test('every table forces it: by user_id with an own and a system policy, or as listed', async () => {
    const {rows} = await server.deps.database.pool.query<{
      name: string
      personal: boolean
      forced: boolean
      policies: string[]
    }>(`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
        exists(select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped)
          as personal,
        array(select p.polname || ' ' || (p.polqual is not null)::text || ' ' || (p.polwithcheck is not null)::text
          from pg_policy p where p.polrelid = c.oid order by 1) as policies
      from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`)
    const found = rows.filter(({name}) => !(name in unprotected))
    expect(rows.filter(({personal}) => personal).length).toBeGreaterThanOrEqual(14)
    expect(Object.keys(shared).filter((name) => !found.some((row) => row.name === name))).toEqual([])
    expect(found.map(({name, forced, policies}) => ({[name]: {forced, policies}}))).toEqual(
      found.map(({name, personal}) => ({
        [name]: {forced: true, policies: personal ? ['own true true', 'system true true'] : shared[name]},
      })),
    )
  })

  test('a request reads nothing of a table outside of it', async () => {
    const {rows} = await server.deps.database.pool.query<{name: string}>(`
      select c.relname as name from pg_class c
      where c.relkind in ('r', 'p', 'v', 'm') and c.relnamespace = 'public'::regnamespace and not c.relforcerowsecurity
        and has_any_column_privilege('atrium_app', c.oid, 'select, insert, update, references')`)
    expect(rows).toEqual([])
  })

  test('a site is read by all and changed only by its admins and operators, its origin by nobody', async () => {
    const operator = await server.createUser()
    const [admin, other] = [await server.createUser(), await server.createUser()]
    const {asUser, asSystem} = server.deps.database
    await asSystem((transaction) =>
      transaction.update(users).set({role: 'operator'}).where(eq(users.id, operator.user.id)),
    )
    await asSystem((transaction) =>
      transaction.insert(sites).values({origin: 'https://foo.example', admins: [admin.user.id]}),
    )
    const change = (userId: string, values: Partial<typeof sites.$inferInsert>) =>
      asUser(userId, (transaction) => transaction.update(sites).set(values).returning({title: sites.title}))
    expect(await asUser(other.user.id, (transaction) => transaction.select().from(sites))).toHaveLength(1)
    expect(await change(other.user.id, {title: 'taken'})).toEqual([])
    expect(await change(other.user.id, {admins: [other.user.id]})).toEqual([])
    expect(await change(admin.user.id, {title: 'foo'})).toEqual([{title: 'foo'}])
    expect(await change(operator.user.id, {title: 'bar'})).toEqual([{title: 'bar'}])
    for (const refused of [{origin: 'https://bar.example'}, {admins: []}, {id: other.user.id}]) {
      await expect(change(admin.user.id, refused)).rejects.toHaveProperty('cause.code', '42501')
    }
    for (const change of [sql`delete from sites`, sql`insert into sites (origin) values ('https://bar.example')`]) {
      const attempt = asUser(operator.user.id, (transaction) => transaction.execute(change))
      await expect(attempt).rejects.toHaveProperty('cause.code', '42501')
    }
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

  test.each([
    ['set role', `set role atrium`],
    ['set local role', `set local role atrium`],
    ['a setting', `select set_config('role', 'atrium', false)`],
    ['set session authorization', `set session authorization atrium`],
    ['the superuser', `set role postgres`],
  ])('a request cannot become the owner of the tables: by %s', async (_, statement) => {
    const {user} = await server.createUser()
    const attempt = server.deps.database.asUser(user.id, (transaction) => transaction.execute(sql.raw(statement)))
    await expect(attempt).rejects.toHaveProperty('cause.code', '42501')
  })

  test.each(['reset role', 'set role none', 'reset session authorization'])(
    'a request that takes its role off has no rights at all: %s',
    async (statement) => {
      const {user} = await server.createUser()
      const attempt = server.deps.database.asUser(user.id, async (transaction) => {
        await transaction.execute(sql.raw(statement))
        return transaction.select().from(users)
      })
      await expect(attempt).rejects.toHaveProperty('cause.code', '42501')
    },
  )

  test('an installation of before gets its login at the next start; the owner’s own is refused for requests', async () => {
    const secrets = createSecrets(Buffer.from('another installation'))
    const login = await prepareRequestLogin(server.connection, secrets)
    expect(await prepareRequestLogin(server.connection, secrets)).toEqual(login)
    const database = openDatabase(server.connection, login, silentLog)
    const {user} = await server.createUser()
    expect(await database.asUser(user.id, (transaction) => transaction.select().from(users))).toHaveLength(1)
    await database.close()
    await server.deps.database.pool.query(`drop role ${pg.escapeIdentifier(login.user ?? '')}`)
    const {host, user: owner, database: name} = server.connection
    const url = `postgresql:///${name}?host=${encodeURIComponent(host ?? '')}&user=${owner}`
    await expect(prepareRequestLogin(server.connection, secrets, {given: url})).rejects.toThrow(
      'must not be one of the owner',
    )
  })

  test('a user sees, changes and deletes own rows only, and makes none for others', async () => {
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
    ).rejects.toHaveProperty('cause.code', '42501')
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
      await expect(change).rejects.toHaveProperty('cause.code', '42501')
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
    ).rejects.toHaveProperty('cause.code', '42501')
  })
})
