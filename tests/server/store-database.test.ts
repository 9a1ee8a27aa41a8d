import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest'
import {isDatabaseAway, toHttpFailure} from '#server/http/boundary.ts'
import {createLog, silentLog} from '#server/log.ts'
import {openDatabase, type Database, type Transaction} from '#server/store/database.ts'
import {createDiskGuard, reservedBytes} from '#server/store/disk-guard.ts'
import {migrate} from '#server/store/migrate.ts'
import {conversations} from '#server/store/schema/chat.ts'
import {PassingStartFailure, StartFailure} from '#server/start-failure.ts'
import {administer} from './database.setup.ts'
import {createTestServer, type TestServer} from './harness.ts'
import {eventually} from '../eventually.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

describe('a full disk (R65)', () => {
  let free = 10 * reservedBytes
  let database: Database
  beforeAll(() => {
    database = openDatabase(server.connection, server.requests, silentLog, {
      isDiskLow: createDiskGuard('foo', {clock: () => server.deps.now().getTime(), free: async () => free}),
    })
  })
  afterAll(() => database.close())

  test('lets people read and refuses to write with 507 busy, until there is room again', async () => {
    const {user} = await server.createUser()
    const write = () =>
      database.asUser(user.id, (transaction) =>
        transaction.insert(conversations).values({userId: user.id, model: 'foo'}),
      )
    const read = () => database.asUser(user.id, (transaction) => transaction.select().from(conversations))
    await write()
    free = reservedBytes - 1
    server.advance(1_000)
    const refused = await write().catch(toHttpFailure)
    expect(refused).toMatchObject({status: 507, code: 'busy', options: {retryAfterSeconds: 30}})
    expect(await read()).toHaveLength(1)
    free = reservedBytes
    server.advance(1_000)
    await write()
    expect(await read()).toHaveLength(2)
  })

  test('is looked for once a second, and a disk that cannot be asked has room', async () => {
    const ask = vi.fn(() => Promise.reject(new Error('foo')))
    let time = 0
    const isLow = createDiskGuard('foo', {clock: () => time, free: ask})
    expect([await isLow(), await isLow()]).toEqual([false, false])
    expect(ask).toHaveBeenCalledTimes(1)
    time = 1_000
    await isLow()
    expect(ask).toHaveBeenCalledTimes(2)
  })
})

test('a server that takes no writes is no full disk but a standby: that connection is given up', async () => {
  const database = openDatabase({...server.connection, max: 1}, {...server.requests, max: 1}, silentLog)
  const {user} = await server.createUser()
  const write = () =>
    database.asUser(user.id, (transaction) => transaction.insert(conversations).values({userId: user.id, model: 'foo'}))
  const writeAsSystem = () =>
    database.asSystem((transaction) => transaction.insert(conversations).values({userId: user.id, model: 'foo'}))
  const {rows} = await server.deps.database.pool.query<{name: string}>('select current_database() as name')
  const isReadOnly = (value: 'on' | 'off') =>
    administer(
      server.connection,
      `begin read write; alter database "${rows[0]?.name}" set default_transaction_read_only = ${value}; commit`,
    )
  await isReadOnly('on')
  try {
    for (const each of [write, writeAsSystem])
      expect(await each().catch(toHttpFailure)).toMatchObject({status: 503, words: 'databaseAway'})
  } finally {
    await isReadOnly('off')
  }
  // each is asked on another connection than the one that refused
  await write()
  await writeAsSystem()
  await database.close()
})

describe('the time of a statement', () => {
  const limitOf = async (transaction: Transaction) => {
    const {rows} = await transaction.execute<{limit: string}>(sql`select current_setting('statement_timeout') as limit`)
    return rows[0]?.limit
  }

  test.each([
    ['in sessions of its own', false],
    ['behind a pooler, which takes no settings for a session', true],
  ])('has a limit, whichever role asks: %s', async (_, isPooled) => {
    const {user} = await server.createUser()
    const options = isPooled ? {direct: server.connection} : {}
    const database = openDatabase(server.connection, server.requests, silentLog, options)
    expect(await database.asUser(user.id, limitOf)).toBe('5s')
    expect(await database.asSystem(limitOf)).toBe('5s')
    expect(await database.asSystemOnce(limitOf)).toBe('5s')
    await database.close()
  })
})

describe('listening', () => {
  test('wakes with each payload of its channel, also after its connection was lost', async () => {
    const heard: string[] = []
    const stop = await server.deps.database.listen('foo', (payload) => heard.push(payload))
    const notify = (payload: string) => server.deps.database.pool.query('select pg_notify($1, $2)', ['foo', payload])
    await notify('one')
    await eventually(() => expect(heard).toEqual(['one']))

    await server.deps.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and pid <> pg_backend_pid() and datname = current_database()`,
    )
    await eventually(async () => {
      await notify('again')
      expect(heard).toContain('again')
    })
    await stop()
    await notify('late')
    await server.deps.database.pool.query('select 1')
    expect(heard).not.toContain('late')
  })
})

describe('migrations', () => {
  test('again change nothing, also by two processes at once', async () => {
    const names = async () =>
      (await server.deps.database.pool.query<{name: string}>('select name from atrium_migrations order by name')).rows
    const before = await names()
    await Promise.all([migrate(server.connection, silentLog), migrate(server.connection, silentLog)])
    expect(await names()).toEqual(before)
  })

  test('a start waits for the turn of another one, but not for ever, and says whose it is', async () => {
    const other = await createTestServer()
    const holder = await other.deps.database.pool.connect()
    const {rows} = await holder.query<{pid: number}>('select pg_backend_pid() as pid, pg_advisory_lock(4163502)')
    const given = migrate(other.connection, silentLog, {longestTurn: 300}).catch((error: unknown) => error)
    expect(await given).toBeInstanceOf(PassingStartFailure)
    expect(await given).toHaveProperty(
      'message',
      expect.stringMatching(`^The session ${rows[0]?.pid} has been preparing the database for 0 s`),
    )

    const lines: string[] = []
    const waiting = migrate(
      other.connection,
      createLog((line) => {
        lines.push(line)
        void holder.query('select pg_advisory_unlock(4163502)')
      }),
    )
    await waiting
    expect(lines[0]).toContain('the start waits for it')
    holder.release()
    await other.close()
  })

  test('a database of a newer Atrium, and one whose migrations differ, are refused with a sentence', async () => {
    const other = await createTestServer()
    const {pool} = other.deps.database
    await pool.query(`insert into atrium_migrations (name, hash) values ('9999_future', 'foo')`)
    await expect(migrate(other.connection, silentLog)).rejects.toThrow(
      /written by a newer Atrium \(migration 9999_future\)/,
    )
    await pool.query(`delete from atrium_migrations where name = '9999_future'`)
    await pool.query(`update atrium_migrations set hash = 'foo' where name = '0001_policies'`)
    await expect(migrate(other.connection, silentLog)).rejects.toBeInstanceOf(StartFailure)
    await other.close()
  })
})

test('a transaction in which its node stood still was undone: the caller may ask again', async () => {
  const {asSystem, pool} = server.deps.database
  const failed = asSystem(async (transaction) => {
    await transaction.execute(sql`select set_config('idle_in_transaction_session_timeout', '20ms', true)`)
    const {rows} = await transaction.execute<{pid: number}>(sql`select pg_backend_pid() as pid`)
    await eventually(async () => {
      const left = await pool.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid])
      expect(left.rowCount).toBe(0)
    })
    await transaction.execute(sql`select 1`)
  })
  const error = await failed.catch((thrown: unknown) => thrown)
  expect(toHttpFailure(error)).toMatchObject({status: 503, code: 'busy'})
  expect(isDatabaseAway(error)).toBe(true)
})

test.each([
  ['53100', 507, 'busy'],
  ['25006', 507, 'busy'],
  ['53300', 503, 'busy'],
  ['57P01', 503, 'busy'],
  ['25P03', 503, 'busy'],
  ['40P01', 503, 'busy'],
  ['57014', 504, 'timeout'],
  ['22P02', 400, 'bad_request'],
  ['23505', 500, 'api_error'],
])('what the database says with %s is %d %s', (code, status, kind) => {
  const cause = Object.assign(new Error('foo'), {code})
  expect(toHttpFailure(new Error('Failed query: secret', {cause}))).toMatchObject({status, code: kind})
})

test.each(['EROFS', 'EACCES', 'EPERM'])('a disk that takes no files, %s, is said to be that', (code) => {
  const error = Object.assign(new Error('foo'), {code, syscall: 'open'})
  expect(toHttpFailure(error)).toMatchObject({status: 507, code: 'busy', words: 'diskReadOnly'})
})

test('a socket that may not be opened is a database that is away', () => {
  const error = Object.assign(new Error('foo'), {code: 'EACCES', syscall: 'connect'})
  expect(isDatabaseAway(error)).toBe(true)
})
