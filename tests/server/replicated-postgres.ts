import {execFileSync} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import pg from 'pg'
import {makeFolder, postgresPrograms} from '../cluster/postgres.ts'
import {OwnProcess, startedWith, until} from '../cluster/own-process.ts'
import {administer, migrateTemplate, withDatabase, type TestDatabase} from './database.setup.ts'
import {freePort} from './free-port.ts'
import {startShippedProxy} from './shipped-proxy.ts'

const template = 'atrium_template'
const program = (name: string) => join(postgresPrograms, name)

/** Runs a program of PostgreSQL as the account that its servers run as. */
export function runAsPostgres(command: readonly string[], environment: Record<string, string> = {}): void {
  const [first = '', ...parameters] = [...startedWith(true), ...command]
  execFileSync(first, parameters, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {PATH: `${postgresPrograms}:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8', ...environment},
    cwd: '/',
  })
}

/** A folder of a test in which Debian's PostgreSQL may write. */
export function postgresFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-postgres-'))
  chmodSync(folder, 0o755)
  return makeFolder(folder)
}

/** A server of PostgreSQL with a folder and a port of its own. Its roles need no password: it listens on loopback. */
export class DebianPostgres {
  private process: OwnProcess | undefined

  constructor(
    private readonly name: string,
    readonly data: string,
    readonly port: number,
    private readonly logs: string,
  ) {}

  static async make(name: string, folder: string): Promise<DebianPostgres> {
    const data = join(folder, name)
    runAsPostgres([
      program('initdb'),
      ...['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    ])
    return new DebianPostgres(name, data, await freePort(), folder)
  }

  async start(settings: Record<string, string> = {}): Promise<void> {
    const all = {listen_addresses: '127.0.0.1', port: String(this.port), unix_socket_directories: '', ...settings}
    this.process = new OwnProcess({
      name: this.name,
      command: [
        program('postgres'),
        ...['-D', this.data],
        ...Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      logs: this.logs,
      asNobody: true,
    })
    await until(`${this.name} answers`, async () => (await this.ask('select 1')).length === 1)
  }

  url(role = 'postgres', database = 'postgres'): string {
    return `postgresql://${role}@127.0.0.1:${this.port}/${database}`
  }

  async ask(statement: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({connectionString: this.url('postgres', database)})
    client.on('error', () => undefined) // it may be killed meanwhile
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows
    } finally {
      await client.end()
    }
  }

  /** All at once, with its connections: what the loss of its machine is. */
  async kill(): Promise<void> {
    const children = readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
    const sessions = execFileSync('ps', ['--ppid', children, '-o', 'pid='], {encoding: 'utf8'}).split(/\s+/)
    await this.process?.signal('SIGKILL')
    for (const pid of sessions.filter((text) => text !== ''))
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {
        // ended with its server
      }
  }

  async stop(): Promise<void> {
    await this.process?.signal('SIGINT')
  }
}

/** A primary, a standby that confirms each commit, and Debian's HAProxy with `deploy/haproxy.cfg` before both. */
export class ReplicatedPostgres {
  private readonly reporters: Server[] = []
  private proxy: OwnProcess | undefined
  private constructor(
    private readonly folder: string,
    private readonly primary: DebianPostgres,
    private readonly standby: DebianPostgres,
    private readonly port: number,
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const folder = postgresFolder()
    const primary = await DebianPostgres.make('database-1', folder)
    await primary.start({max_connections: '150', synchronous_standby_names: 'standby'})
    const data = join(folder, 'database-2')
    const from = `${primary.url()}?application_name=standby`
    runAsPostgres([program('pg_basebackup'), `--dbname=${from}`, `--pgdata=${data}`, '--write-recovery-conf'])
    const standby = new DebianPostgres('database-2', data, await freePort(), folder)
    await standby.start({max_connections: '150'})
    await until('the standby confirms', async () => {
      const [row] = await primary.ask('select sync_state from pg_stat_replication')
      return row?.['sync_state'] === 'sync'
    })
    const replicated = new ReplicatedPostgres(folder, primary, standby, await freePort())
    await replicated.startProxy()
    const {administrator, owner} = replicated.database
    // before it has looked for the first time it takes both for good, in turn
    const isWritten = () => administer(administrator, 'create temporary table foo ()')
    await until('HAProxy has found the standby', async () => {
      await isWritten()
      await isWritten()
      return true
    })
    await administer(administrator, 'create role atrium login createrole')
    await administer(administrator, `create database ${template} owner atrium encoding 'UTF8' template template0`)
    await migrateTemplate(withDatabase(owner, template))
    return replicated
  }

  /** The database for `createTestServer`: the address at which the primary is, whichever it is. */
  get database(): TestDatabase {
    const address = (role: string) => ({connectionString: `postgresql://${role}@127.0.0.1:${this.port}/postgres`})
    return {administrator: address('postgres'), owner: address('atrium'), ownerRole: 'atrium', template}
  }

  /** The primary is gone for good, and the standby is made the primary, as whatever watches over them does. */
  async failOver(): Promise<void> {
    await this.primary.kill()
    await this.standby.ask('select pg_promote()')
  }

  async close(): Promise<void> {
    for (const reporter of this.reporters) reporter.close()
    await this.proxy?.signal('SIGKILL')
    await this.standby.stop()
    rmSync(this.folder, {recursive: true, force: true})
  }

  private async startProxy(): Promise<void> {
    const replaced = new Map([
      ['bind :8080', `bind 127.0.0.1:${await freePort()}`],
      ['bind 127.0.0.1:5432', `bind 127.0.0.1:${this.port}`],
      ['127.0.0.1:5433 port 8008', `127.0.0.1:${this.primary.port} port ${await this.report(this.primary)}`],
      ['127.0.0.1:5434 port 8009', `127.0.0.1:${this.standby.port} port ${await this.report(this.standby)}`],
    ])
    this.proxy = startShippedProxy(this.folder, replaced)
  }

  /** Says whether a server is the primary, instead of Patroni. */
  private async report(postgres: DebianPostgres): Promise<number> {
    const reporter = createServer((_, response) => {
      void postgres
        .ask('select pg_is_in_recovery() as "isStandby"')
        .then(([row]) => row?.['isStandby'] === false)
        .catch(() => false)
        .then((isPrimary) => response.writeHead(isPrimary ? 200 : 503).end())
    })
    reporter.listen(0, '127.0.0.1')
    await once(reporter, 'listening')
    this.reporters.push(reporter)
    return (reporter.address() as AddressInfo).port // it listens on a port
  }
}
