import {execFileSync, spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import pg from 'pg'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi} from 'vitest'
import {silentLog} from '#server/log.ts'
import {makeDataFolder} from '#server/store/data-folder.ts'
import {startEmbeddedPostgres, type EmbeddedPostgres} from '#server/store/embedded-postgres.ts'
import {lockFolder, lockFolderSoon} from '#server/store/folder-lock.ts'
import {postgresProcessesIn, processStartTime} from '#server/store/process-table.ts'
import {StartFailure} from '#server/start-failure.ts'
import {eventually} from '../eventually.ts'

/** Made once: initdb is the slow part, and one test is about it. */
let made: string
let folder: string
const running = new Set<EmbeddedPostgres>()
const children = new Set<ChildProcess>()

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'atrium-embedded-'))
  await (await startEmbeddedPostgres(made, silentLog, {fsync: 'off'})).stop()
})
afterAll(() => rmSync(made, {recursive: true}))

/** A stopped cluster in the folder; copied with its owner and modes. */
function prepare(dataDir = folder): void {
  execFileSync('cp', ['-a', join(made, 'postgres'), join(dataDir, 'postgres')])
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-embedded-'))
})
afterEach(async () => {
  for (const cluster of running) await cluster.stop()
  running.clear()
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  children.clear()
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

/** Starts a process that holds the folder; resolves with its first line. */
async function hold(): Promise<{child: ChildProcess; line: string}> {
  const script = join(import.meta.dirname, 'hold-cluster.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder], {stdio: ['ignore', 'pipe', 'inherit']})
  children.add(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {child, line}
}

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

describe('a second start (R61)', () => {
  test('is refused while the first runs, and works after it', async () => {
    prepare()
    const {child} = await hold()
    const second = await hold()
    expect(second.line).toBe(
      `refused The data folder ${folder} is in use by process ${child.pid}. Stop that server, or set DATA_DIR to another folder.`,
    )
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect((await hold()).line).toMatch(/^ready \d+$/)
  })

  test('a lock of a pid that was given again, of a dead process and of nobody is replaced', () => {
    const file = join(folder, 'atrium.lock')
    for (const content of [
      JSON.stringify({pid: process.pid, startTime: 'another'}),
      JSON.stringify({pid: 2 ** 22 + 1, startTime: '1'}),
      '{"pid":',
      '',
    ]) {
      writeFileSync(file, content)
      const unlock = lockFolder(folder)
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
        pid: process.pid,
        startTime: processStartTime(process.pid),
      })
      unlock()
      expect(existsSync(file)).toBe(false)
    }
  })

  describe('beside one that is about to end', () => {
    const self = () => ({pid: process.pid, startTime: processStartTime(process.pid) ?? ''})
    const gone = {pid: 2 ** 22 + 1, startTime: '1'}
    const holdBy = (holder: object) => writeFileSync(join(folder, 'atrium.lock'), JSON.stringify(holder))
    const refusal = () => `The data folder ${folder} is in use by process ${process.pid}. Stop that server`

    test('waits until it has given the folder back, says so once, and leaves nothing of itself behind', async () => {
      const first = await lockFolderSoon(folder)
      first.leave()
      const said: string[] = []
      let pauses = 0
      const second = await lockFolderSoon(folder, {
        tell: (sentence) => said.push(sentence),
        pause: async () => {
          pauses += 1
          if (pauses === 3) first.unlock()
        },
      })
      expect([said, pauses]).toEqual([
        [`The server that ran before (process ${process.pid}) is still stopping; waiting for it.`],
        3,
      ])
      second.unlock()
      expect(readdirSync(folder)).toEqual([])
    })

    test('waits for one whose supervisor was killed until it has ended', async () => {
      const child = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 60_000)'], {stdio: 'ignore'})
      children.add(child)
      const pid = child.pid ?? 0
      holdBy({pid, startTime: processStartTime(pid), supervisor: gone})
      const ended = once(child, 'exit')
      const lock = await lockFolderSoon(folder, {
        tell: () => child.kill('SIGKILL'),
        pause: async () => void (await ended),
      })
      expect(JSON.parse(readFileSync(join(folder, 'atrium.lock'), 'utf8'))).toEqual(self())
      lock.unlock()
    })

    test('is refused at once while the other and its supervisor are well', async () => {
      holdBy({...self(), supervisor: {pid: process.ppid, startTime: processStartTime(process.ppid)}})
      const tell = vi.fn()
      const pause = vi.fn()
      await expect(lockFolderSoon(folder, {tell, pause})).rejects.toThrow(refusal())
      expect([tell.mock.calls, pause.mock.calls]).toEqual([[], []])
    })

    test('is refused in the end where the other never ends, and ends its wait when it is told to', async () => {
      holdBy({...self(), isLeaving: true})
      const pause = vi.fn(() => Promise.resolve())
      await expect(lockFolderSoon(folder, {pause})).rejects.toThrow(refusal())
      expect(pause).toHaveBeenCalledTimes(150)
      const reason = new Error('foo')
      const stopping = new AbortController()
      const wait = lockFolderSoon(folder, {
        tell: () => stopping.abort(reason),
        signal: stopping.signal,
        pause: () => Promise.resolve(),
      })
      await expect(wait).rejects.toBe(reason)
    })

    test('says to the next who keeps it running', async () => {
      const lock = await lockFolderSoon(folder, {supervisorPid: process.ppid})
      const supervisor = {pid: process.ppid, startTime: processStartTime(process.ppid)}
      const written = () => JSON.parse(readFileSync(join(folder, 'atrium.lock'), 'utf8')) as unknown
      expect(written()).toEqual({...self(), supervisor})
      lock.leave()
      expect(written()).toEqual({...self(), supervisor, isLeaving: true})
      lock.unlock()
    })
  })

  test('giving back does not take the lock of another process', () => {
    const unlock = lockFolder(folder)
    const other = JSON.stringify({pid: 1, startTime: 'foo'})
    writeFileSync(join(folder, 'atrium.lock'), other)
    unlock()
    expect(readFileSync(join(folder, 'atrium.lock'), 'utf8')).toBe(other)
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
