import type {ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import pg from 'pg'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {silentLog} from '#server/log.ts'
import {makeDataFolder} from '#server/store/data-folder.ts'
import {startEmbeddedPostgres, type EmbeddedPostgres} from '#server/store/embedded-postgres.ts'
import {lockFolder} from '#server/store/folder-lock.ts'
import {postgresProcessesIn} from '#server/store/process-table.ts'
import {StartFailure} from '#server/start-failure.ts'
import {eventually} from '../eventually.ts'
import {copyCluster, createCluster, endChildren, holdFolder, newDataFolder} from './embedded.fixtures.ts'

/** Made once: initdb is the slow part, and one test is about it. */
let made: string
let folder: string
const running = new Set<EmbeddedPostgres>()
const children = new Set<ChildProcess>()

beforeAll(async () => {
  made = await createCluster()
})
afterAll(() => rmSync(made, {recursive: true}))

const prepare = (dataDir = folder) => copyCluster(made, dataDir)

beforeEach(() => {
  folder = newDataFolder()
})
afterEach(async () => {
  for (const cluster of running) await cluster.stop()
  running.clear()
  endChildren(children)
  rmSync(folder, {recursive: true, force: true})
})

async function start(dataDir = folder): Promise<EmbeddedPostgres> {
  const cluster = await startEmbeddedPostgres(dataDir, silentLog, {fsync: 'off'})
  running.add(cluster)
  return cluster
}

async function stop(cluster: EmbeddedPostgres): Promise<void> {
  running.delete(cluster)
  await cluster.stop()
}

const hold = () => holdFolder(folder, children)

async function query<T extends pg.QueryResultRow>(connection: pg.PoolConfig, text: string): Promise<T[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

test('the first start makes a UTF-8 cluster, the next one finds what was written', async () => {
  const first = await start()
  expect(
    await query(
      first.connection,
      `select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync, current_setting('listen_addresses') as addresses`,
    ),
  ).toEqual([{encoding: 'UTF8', fsync: 'off', addresses: ''}])
  await query(first.connection, `create table kept as select 'ä∑' as text`)
  await stop(first)
  const second = await start()
  expect(await query(second.connection, 'select text from kept')).toEqual([{text: 'ä∑'}])
})

test('the owner of the schema is no superuser and bypasses nothing', async () => {
  prepare()
  const cluster = await start()
  expect(
    await query(
      cluster.connection,
      'select rolname, rolsuper, rolbypassrls from pg_roles where rolname = current_user',
    ),
  ).toEqual([{rolname: 'atrium', rolsuper: false, rolbypassrls: false}])
})

test('only the owner of the process can enter the cluster and its socket', async () => {
  prepare()
  await start()
  expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700)
})

test('stopping leaves no process and nothing that blocks', async () => {
  prepare()
  const cluster = await start()
  await stop(cluster)
  expect(postgresProcessesIn(join(folder, 'postgres'), undefined)).toEqual([])
  expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('a data folder with a path too long for a socket works, in a private socket folder', async () => {
  const deep = join(folder, 'x'.repeat(60), 'y'.repeat(60))
  mkdirSync(deep, {recursive: true})
  prepare(deep)
  const cluster = await start(deep)
  expect(await query(cluster.connection, 'select 1 as one')).toEqual([{one: 1}])
  const {host} = cluster.connection
  await stop(cluster)
  expect(existsSync(host ?? '')).toBe(false)
})

test('what a killed initdb left is removed', async () => {
  prepare()
  mkdirSync(join(folder, 'postgres.new-foo'))
  writeFileSync(join(folder, 'postgres.new-foo', 'PG_VERSION'), '18')
  await start()
  expect(existsSync(join(folder, 'postgres.new-foo'))).toBe(false)
})

test('a cluster of another PostgreSQL is refused with a sentence', async () => {
  prepare()
  const major = readFileSync(join(folder, 'postgres', 'PG_VERSION'), 'utf8').trim()
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '15\n')
  await expect(startEmbeddedPostgres(folder, silentLog)).rejects.toThrow(
    `The data folder was made by PostgreSQL 15, this Atrium brings ${major}. Start the old Atrium, back up, and restore here.`,
  )
})

test('a postgres that ends by itself is started again at the same socket', async () => {
  prepare()
  const cluster = await start()
  await query(cluster.connection, 'create table kept as select 1 as one')
  const before = cluster.pid()
  process.kill(before ?? 0, 'SIGKILL')
  await eventually(() => expect(cluster.pid()).not.toBe(before))
  await eventually(() => expect(cluster.pid()).toBeTypeOf('number'))
  expect(await query(cluster.connection, 'select one from kept')).toEqual([{one: 1}])
})

describe('a killed server (R61, R63)', () => {
  test('its database is taken over, with what was committed', async () => {
    prepare()
    const {child, line} = await hold()
    const postmaster = Number(line.replace('ready ', ''))
    await query(
      {host: join(folder, 'postgres'), user: 'atrium', database: 'atrium'},
      'create table kept as select 1 as one',
    )
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(postgresProcessesIn(join(folder, 'postgres'), postmaster)).toContain(postmaster)

    const unlock = lockFolder(folder)
    const cluster = await start()
    expect(cluster.pid()).not.toBe(postmaster)
    expect(await query(cluster.connection, 'select one from kept')).toEqual([{one: 1}])
    unlock()
  })

  test('left-over files of a dead machine do not block', async () => {
    prepare()
    const cluster = join(folder, 'postgres')
    writeFileSync(join(cluster, 'postmaster.pid'), `${process.pid}\n${cluster}\n1\n5432\n.\n\n\nready\n`)
    writeFileSync(join(cluster, '.s.PGSQL.5432.lock'), `${process.pid}\n`)
    const again = await start()
    expect(await query(again.connection, 'select 1 as one')).toEqual([{one: 1}])
  })
})

test('a data folder that cannot be made is said with its name', () => {
  writeFileSync(join(folder, 'file'), '')
  for (const path of [join(folder, 'file'), join(folder, 'file', 'data')]) {
    expect(() => makeDataFolder(path)).toThrow(StartFailure)
    expect(() => makeDataFolder(path)).toThrow(
      `DATA_DIR ${path} cannot be made: a file stands in its way. Set DATA_DIR`,
    )
  }
})
