import {randomUUID} from 'node:crypto'
import pg from 'pg'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {contractSchema, describeSchema} from '#server/admin/schema.ts'
import {createLease, renewMilliseconds} from '#server/jobs/lease.ts'
import {silentLog} from '#server/log.ts'
import {createDatabaseClock} from '#server/store/database-clock.ts'
import {confirmSchema, migrate, ownSchema} from '#server/store/migrate.ts'
import {mostStepsAhead, type OwnSchema} from '#server/store/schema-state.ts'
import {readStep, type SchemaStep} from '#server/store/schema-steps.ts'
import {eventually} from '../eventually.ts'
import {createTestServer, type TestServer} from './harness.ts'
import {manualTimers} from './providers.fixtures.ts'

/*
 * Versions of a program with a table of its own: 0.8.0 makes a column, 0.9.0 its successor, 0.10.0 takes the first one
 * away, which 0.9.0 can do without; 0.11.0 goes on from there.
 */
const made = readStep('9001_made', '-- expand\ncreate table stock (id int, old_name text)')
const expanded = readStep('9002_expanded', '-- expand\nalter table stock add column name text')
const contracted = readStep('9003_contracted', '-- contract: needs 0.9.0\nalter table stock drop column old_name')
const later = readStep('9004_later', '-- expand\nalter table stock add column size int')
const schemaOf = (version: string, ...steps: SchemaStep[]): OwnSchema => ({
  version,
  steps: [...ownSchema.steps, ...steps],
})
const [v8, v9, v10, v11] = [
  schemaOf('0.8.0', made),
  schemaOf('0.9.0', made, expanded),
  schemaOf('0.10.0', made, expanded, contracted),
  schemaOf('0.11.0', made, expanded, contracted, later),
]

let server: TestServer
let start: (schema: OwnSchema) => Promise<{run: string[]; postponed: string[]}>
beforeAll(async () => {
  server = await createTestServer()
  start = async (schema) => {
    const {run, postponed} = await migrate(server.connection, silentLog, {schema})
    return {run: run.map(({name}) => name), postponed: postponed.map(({name}) => name)}
  }
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.deps.database.pool.query(
    `drop table if exists stock; delete from atrium_migrations where name like '9%'; delete from workers`,
  )
})

/** A node that gave a sign of life just now; its version is null before 0.2.0. */
const addNode = (version: string | null) =>
  server.deps.database.pool.query(`insert into workers (id, version) values (gen_random_uuid()::text, $1)`, [version])
const removeNodes = () => server.deps.database.pool.query('delete from workers')
const columns = async () => {
  const {rows} = await server.deps.database.pool.query<{name: string}>(
    `select attname as name from pg_attribute where attrelid = to_regclass('stock') and attnum > 0 and not attisdropped order by attnum`,
  )
  return rows.map(({name}) => name)
}

/** The lease of a node with that schema, whose timers the test fires. */
function leaseOf(schema: OwnSchema) {
  const pool = new pg.Pool({...server.connection, max: 1, query_timeout: 7_000})
  const {timers, fire} = manualTimers()
  const [id, seen] = [randomUUID(), {asked: 0, refused: ''}]
  const lease = createLease({
    pool,
    databaseClock: createDatabaseClock(),
    timers,
    log: silentLog,
    workerId: () => id,
    isAlone: false,
    onLost: () => undefined,
    confirmSchema: () => confirmSchema(pool, schema).finally(() => (seen.asked += 1)),
    onRefused: ({message}) => (seen.refused = message),
  })
  return {
    lease,
    asked: () => seen.asked,
    refused: () => seen.refused,
    renew: () => fire(renewMilliseconds),
    close: async () => {
      await lease.stop()
      await pool.end()
    },
  }
}

describe('a rolling upgrade', () => {
  test('expands beside older nodes, which may start again, and contracts when the last of them is gone', async () => {
    await start(v8)
    await addNode('0.8.0')
    expect(await start(v9)).toEqual({run: ['9002_expanded'], postponed: []})
    expect(await start(v8)).toEqual({run: [], postponed: []})
    // 0.8.0 lives and needs the column
    expect(await start(v10)).toEqual({run: [], postponed: ['9003_contracted']})
    expect(await columns()).toEqual(['id', 'old_name', 'name'])
    await removeNodes()
    await addNode('0.9.0')
    expect(await start(v10)).toEqual({run: ['9003_contracted'], postponed: []})
    expect(await columns()).toEqual(['id', 'name'])
    // 0.9.0 does without the column
    expect(await start(v9)).toEqual({run: [], postponed: []})
  })

  test('a node of 0.1.0 names no version and holds contract steps back; one that is silent does not', async () => {
    await start(v8)
    await addNode(null)
    expect((await start(v10)).postponed).toEqual(['9003_contracted'])
    await server.deps.database.pool.query(`update workers set heartbeat_at = now() - interval '5 seconds'`)
    expect((await start(v10)).run).toEqual(['9003_contracted'])
  })

  test('with the embedded database nobody else is there: rows of a process that was killed hold nothing back', async () => {
    await start(v8)
    await addNode('0.8.0')
    const {run} = await migrate(server.connection, silentLog, {schema: v10, isAlone: true})
    expect(run.map(({name}) => name)).toEqual(['9002_expanded', '9003_contracted'])
  })
})

describe('refused', () => {
  test('a server whose schema was contracted, with the version that it takes', async () => {
    await start(v10)
    await expect(start(v8)).rejects.toThrow(
      'This database was contracted by Atrium 0.10.0 (migration 9003_contracted); this server is 0.8.0. Start a version of at least 0.9.0, or restore a backup.',
    )
  })

  test('a server that skips a version while older nodes live; without them it runs all in order', async () => {
    await start(v8)
    await addNode('0.8.0')
    await expect(start(v11)).rejects.toThrow(
      /needs migration 9004_later, which comes after 9003_contracted, .* nodes before 0\.9\.0 \(1 of 0\.8\.0\)/,
    )
    expect(await columns()).toEqual(['id', 'old_name'])
    await removeNodes()
    expect((await start(v11)).run).toEqual(['9002_expanded', '9003_contracted', '9004_later'])
  })

  test('a schema from too far ahead', async () => {
    await start(v8)
    const steps = Array.from({length: mostStepsAhead + 1}, (_, index) =>
      readStep(`91${String(index).padStart(2, '0')}_foo`, '-- expand\nselect 1'),
    )
    await start(schemaOf('0.12.0', made, ...steps.slice(1)))
    await start(v8)
    await start(schemaOf('0.13.0', made, ...steps))
    await expect(start(v8)).rejects.toThrow(
      /11 migrations ahead of this server, 0\.8\.0, .* written by Atrium 0\.1[23]/,
    )
  })

  test('a process that began before a contract step ran, once it has its row', async () => {
    const pool = new pg.Pool({...server.connection, max: 2})
    await start(v8)
    expect(await confirmSchema(pool, v8)).toBe(true)
    await start(v10)
    await expect(confirmSchema(pool, v8)).rejects.toThrow('Start a version of at least 0.9.0')
    expect(await confirmSchema(pool, v9)).toBe(true)
    await pool.end()
  })

  test.each([
    ['silent while its row stayed', `update workers set heartbeat_at = heartbeat_at - interval '5 seconds'`],
    ['taken for dead, its row away', 'delete from workers'],
  ])('a node that comes back to a contracted schema: %s', async (_, silence) => {
    await start(v8)
    const node = leaseOf(v8)
    await node.lease.start()
    expect(node.lease.isHeld()).toBe(true)
    expect((await start(v10)).postponed).toEqual(['9003_contracted'])
    await server.deps.database.pool.query(silence)
    expect((await start(v10)).run).toEqual(['9003_contracted'])
    node.renew()
    await eventually(() => expect(node.refused()).toMatch(/contracted by Atrium 0\.10\.0 .* this server is 0\.8\.0/))
    expect(node.lease.isHeld()).toBe(false)
    await node.close()
  })
})

test('a start waits for contract steps that run, however long, and can be given up', async () => {
  await start(v9)
  const {database} = server.deps
  const contracting = await database.pool.connect()
  await contracting.query('begin; select * from stock')
  const contraction = start(v10)
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%drop column%' and datname = current_database()`
  await eventually(async () => expect((await database.pool.query(waiting)).rows).toHaveLength(1))
  const [node, impatient] = [leaseOf(v9), leaseOf(v9)]
  const held = node.lease.start()
  void impatient.lease.start()
  await eventually(() => expect([node.asked(), impatient.asked()]).toEqual([1, 1]))
  expect([node.lease.isHeld(), impatient.lease.isHeld()]).toEqual([false, false])
  await impatient.close()
  await contracting.query('commit')
  contracting.release()
  await contraction
  node.renew()
  await held
  expect(node.lease.isHeld()).toBe(true)
  await node.close()
})

test('a step waits for a transaction that holds its table', async () => {
  await start(v8)
  const client = await server.deps.database.pool.connect()
  await client.query('begin; select * from stock')
  const expanding = start(v9)
  await eventually(async () => {
    const {rows} = await server.deps.database.pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%stock%' and datname = current_database()`,
    )
    expect(rows).toHaveLength(1)
  })
  await client.query('commit')
  client.release()
  expect((await expanding).run).toEqual(['9002_expanded'])
})

test('the operator sees what the database has become, and contracts it when the older nodes are gone', async () => {
  const show = async (schema: OwnSchema) => (await describeSchema(server.connection, schema)).join('\n')
  await start(v9)
  await addNode(null)
  await addNode('0.8.0')
  expect(await show(v10)).toMatch(/Next start runs: none\nWait .*: 9003_contracted \(contract\)\nNodes: /)
  expect(await show(v10)).toMatch(/1 of 0\.1\.0/)
  expect(await show(v8)).toContain('Ahead of this server: 9002_expanded (expand)')
  await expect(contractSchema(server.connection, v10)).rejects.toThrow(/9003_contracted still waits: .*1 of 0\.8\.0/)
  expect(await show(v11)).toContain('Next start is refused: This server, 0.11.0, needs migration 9004_later')
  await removeNodes()
  expect(await contractSchema(server.connection, v10)).toEqual(['Done: 9003_contracted'])
  expect(await contractSchema(server.connection, v10)).toEqual(['Nothing waited.'])
  expect(await columns()).toEqual(['id', 'name'])
})
