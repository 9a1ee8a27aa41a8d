import {spawn, type ChildProcess} from 'node:child_process'
import {chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import pg from 'pg'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {headOf, textOf} from './ai.harness.ts'
import {freePort} from './free-port.ts'
import {textFor} from './kill-loop.provider.ts'
import {call, DatabaseLine, healthOf, Nodes, stream, type Node} from './nodes.harness.ts'

let nodes: Nodes
beforeAll(async () => {
  nodes = await Nodes.open()
}, 240_000)
afterAll(() => nodes.close())

test('an outage of the database that all nodes see: nobody is taken for dead, and the answers go on', async () => {
  const both = [await nodes.start(), await nodes.start()]
  const asker = await nodes.asker()
  const heads = await Promise.all(
    both.map(async (node) => {
      const own = await stream(node, asker, {question: 'foo 2000', model: 'foo-model', stateful: true})
      const head = await headOf(own)
      await own.next()
      return head
    }),
  )
  for (const {line} of both) line.cut()
  await expect.poll(async () => (await Promise.all(both.map(healthOf))).map(([status]) => status)).toEqual([503, 503])
  await pause(1_000)
  for (const {line} of both) line.mend()
  for (const [index, head] of heads.entries()) {
    await expect.poll(async () => (await healthOf(both[index] as Node))[0]).toBe(200) // as: there are two of both
    const resumed = await stream(both[1 - index] as Node, asker, {action: 'resume', ...head, last_seq: 0})
    await headOf(resumed)
    const frames = await resumed.rest()
    expect([frames.at(-1)?.data, textOf(frames)]).toEqual(['[DONE]', textFor('foo 2000')])
  }
  expect(both.flatMap(({process}) => process.log.match(/workers ended without a word/g) ?? [])).toEqual([])
  for (const {process} of both) expect(await process.signal('SIGTERM')).toBe(0)
}, 120_000)

test('all connections to the database are ended at once, as by its restart: answers and the queue go on', async () => {
  const [api, worker] = [await nodes.start({ROLE: 'api'}), await nodes.start({ROLE: 'worker'})]
  const asker = await nodes.asker()
  const own = await stream(api, asker, {question: 'foo 1000', model: 'foo-model', stateful: true})
  const head = await headOf(own)
  await own.next()
  for (const {line} of [api, worker]) line.break()
  await own.rest().catch(() => undefined) // the stream may have broken with its connection
  const resumed = await stream(api, asker, {action: 'resume', ...head, last_seq: 0})
  await headOf(resumed)
  const frames = await resumed.rest()
  expect([frames.at(-1)?.data, textOf(frames)]).toEqual(['[DONE]', textFor('foo 1000')])

  nodes.upstream.finish()
  const made = await call(api, asker, '/kling/videos', {prompt: 'owl'})
  expect(await made.json()).toMatchObject({success: true})
  for (const {process} of [api, worker]) expect(await process.signal('SIGTERM')).toBe(0)
}, 120_000)

/** The path of Debian's package: `apt-get install pgbouncer`. */
const pgbouncer = '/usr/sbin/pgbouncer'
const nobody = 65_534

/**
 * PgBouncer before the cluster of the tests. Two sessions for each user: they pass from client to client all the time.
 */
class Pooler {
  private constructor(
    readonly port: number,
    private readonly user: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(behind: number, {user, database}: {user: string; database: string}): Promise<Pooler> {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-pooler-'))
    chmodSync(folder, 0o755)
    const port = await freePort()
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      pool_mode: 'transaction',
      default_pool_size: 2,
      max_client_conn: 200,
      // the cluster of the tests asks nobody for a password; the login of requests is found by the query
      auth_type: 'trust',
      auth_file: join(folder, 'users.txt'),
      auth_user: user,
      auth_query: "select rolname, '' from pg_roles where rolname = $1",
      admin_users: user,
    }
    writeFileSync(join(folder, 'users.txt'), `"${user}" ""\n`)
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      [
        '[databases]',
        `${database} = host=127.0.0.1 port=${behind}`,
        '[pgbouncer]',
        ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
      ].join('\n'),
    )
    const child = spawn(pgbouncer, ['-q', join(folder, 'pgbouncer.ini')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      // it refuses to run as root
      ...(process.getuid?.() === 0 ? {uid: nobody, gid: nobody} : {}),
    })
    const pooler = new Pooler(port, user, child, folder)
    await expect.poll(() => pooler.show('version').catch(() => []), {timeout: 20_000}).toHaveLength(1)
    return pooler
  }

  /** Returns the rows that its console prints. */
  async show(what: 'version' | 'stats_totals' | 'pools'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({host: '127.0.0.1', port: this.port, user: this.user, database: 'pgbouncer'})
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(`show ${what}`)).rows
    } finally {
      await client.end()
    }
  }

  stop(): void {
    this.child.kill('SIGTERM')
    rmSync(this.folder, {recursive: true, force: true})
  }
}

test.skipIf(!existsSync(pgbouncer))(
  'behind PgBouncer in transaction mode: answers, follow, stop, tasks and the death of a node',
  async () => {
    const {user, database, password} = nodes.server.connection
    const name = {user: user ?? '', database: database ?? ''}
    const line = await DatabaseLine.open(nodes.server)
    const pooler = await Pooler.start(line.port, name)
    const environment = {
      DATABASE_URL: `postgresql://${name.user}:${String(password)}@127.0.0.1:${pooler.port}/${name.database}`,
    }
    const [first, second] = [await nodes.start(environment), await nodes.start(environment)]
    const asker = await nodes.asker()

    expect((await fetch(`${first.address}/services/auth/auth/login`)).status).toBe(200)
    const many = await Promise.all(
      [first, second, first, second].map(async (node, index) => {
        const own = await stream(node, asker, {question: `foo ${index}`, model: 'foo-model', stateful: true})
        await headOf(own)
        return textOf(await own.rest())
      }),
    )
    expect(many).toEqual([0, 1, 2, 3].map((index) => textFor(`foo ${index}`)))

    const stopped = await stream(first, asker, {question: 'foo 4000', model: 'foo-model', stateful: true})
    const {id} = await headOf(stopped)
    const stop = await call(second, asker, '/aichat/conversations', {action: 'stop', id})
    expect(await stop.json()).toMatchObject({state: 'failed'})
    expect((await stopped.rest()).at(-1)?.data).toMatchObject({outcome: 'stopped'})

    nodes.upstream.finish()
    const made = await call(second, asker, '/kling/videos', {prompt: 'owl'})
    expect(await made.json()).toMatchObject({success: true})

    const cutOff = await stream(first, asker, {question: 'foo 4000', model: 'foo-model', stateful: true})
    const follower = await stream(second, asker, {action: 'resume', ...(await headOf(cutOff)), last_seq: 0})
    await headOf(follower)
    const killedAt = await nodes.now()
    await Promise.all([first.process.signal('SIGKILL'), cutOff.rest().catch(() => undefined)])
    expect((await follower.rest()).at(-1)?.data).toMatchObject({outcome: 'interrupted'})
    expect((await nodes.now()) - killedAt).toBeLessThan(5_000)

    // both the owner's and the requests' transactions went through it, over two sessions each
    const used = (await pooler.show('pools')).filter((row) => row['database'] === name.database)
    expect(used.map((row) => row['pool_mode'])).toEqual(['transaction', 'transaction'])
    const [totals] = (await pooler.show('stats_totals')).filter((row) => row['database'] === name.database)
    expect(Number(totals?.['xact_count'])).toBeGreaterThan(50)
    expect(second.process.log).not.toMatch(/"level":"error"/)
    expect(await second.process.signal('SIGTERM')).toBe(0)
    pooler.stop()
    line.close()
  },
  120_000,
)

test('a node with an unexpected error gives its answers no time of DRAIN_SECONDS, and saves them as interrupted', async () => {
  const fault = `process.on('SIGUSR2', () => { throw new Error('foo') })`
  const node = await nodes.start({
    DRAIN_SECONDS: '600',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
  })
  const asker = await nodes.asker()
  const own = await stream(node, asker, {question: 'foo 5000', model: 'foo-model', stateful: true})
  const {message} = await headOf(own)
  await own.next()
  const failedAt = await nodes.now()
  process.kill(node.process.pid, 'SIGUSR2')
  await expect(own.rest()).rejects.toThrow()
  expect(await node.process.ended()).toBe(1)
  expect((await nodes.now()) - failedAt).toBeLessThan(10_000)
  expect(node.process.log).toContain('uncaught exception')
  expect(node.process.log).not.toContain('not stopped within')
  expect(await nodes.query('select state, outcome from answers where message_id = $1', [message])).toEqual([
    {state: 'failed', outcome: 'interrupted'},
  ])
}, 120_000)
