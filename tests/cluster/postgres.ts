import {execFileSync} from 'node:child_process'
import {chownSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import pg from 'pg'
import {root} from '#tools/paths.mjs'
import {freePort} from '../server/free-port.ts'
import {nobody, OwnProcess, startedWith, until} from './own-process.ts'

export const postgresPrograms = '/usr/lib/postgresql/15/bin'
export const poolerProgram = '/usr/sbin/pgbouncer'

/** Passwords of a cluster that listens on loopback and lives for minutes. */
export const administrator = {user: 'postgres', password: 'administrator'}
const owner = {user: 'atrium', password: 'owner'}
const database = 'atrium'

export const isPosixRoot = (): boolean => process.getuid?.() === 0

/** A folder that the programs which refuse to run as root may write in. */
export function makeFolder(path: string): string {
  mkdirSync(path, {recursive: true, mode: 0o755})
  if (isPosixRoot()) chownSync(path, nobody, nobody)
  return path
}

const run = (command: readonly string[]) => {
  const [program = '', ...parameters] = [...startedWith(true), ...command]
  execFileSync(program, parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {PATH: process.env['PATH']},
    cwd: '/',
  })
}

/** Debian's PostgreSQL as an instance of its own. What it has confirmed survives both ways of stopping it. */
export class Postgres {
  private process: OwnProcess | undefined

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly logs: string,
  ) {}

  static async create(folder: string, logs: string): Promise<Postgres> {
    makeFolder(folder)
    const password = join(folder, 'password')
    writeFileSync(password, administrator.password)
    const data = join(folder, 'data')
    run([
      join(postgresPrograms, 'initdb'),
      ...['-D', data, '-U', administrator.user, '--auth=scram-sha-256', `--pwfile=${password}`],
      ...['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    ])
    const postgres = new Postgres(await freePort(), data, logs)
    await postgres.start()
    await postgres.administer('postgres', [
      `create role ${owner.user} login createrole password '${owner.password}'`,
      `create database ${database} owner ${owner.user} encoding 'UTF8' template template0`,
    ])
    return postgres
  }

  async start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: '',
      max_connections: 200,
      // the machine does not lose its power here; a process that is killed loses nothing of what it gave to the system
      fsync: 'off',
      shared_buffers: '128MB',
      // when each row was written: nothing is after the end of what it belongs to
      track_commit_timestamp: 'on',
    }
    this.process = new OwnProcess({
      name: 'postgres',
      command: [
        join(postgresPrograms, 'postgres'),
        ...['-D', this.folder],
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      logs: this.logs,
      asNobody: true,
    })
    await until('PostgreSQL answers', async () => (await this.administer('postgres', ['select 1'])) === undefined)
  }

  /** `fast` ends the sessions, `immediate` ends as a crash does. */
  async stop(way: 'fast' | 'immediate'): Promise<void> {
    await this.process?.signal(way === 'fast' ? 'SIGINT' : 'SIGQUIT')
  }

  /** Returns the address for the owner of the tables; `port`: of a pooler before it. */
  url(port = this.port): string {
    return `postgresql://${owner.user}:${owner.password}@127.0.0.1:${port}/${database}`
  }

  private async administer(name: string, statements: readonly string[]): Promise<void> {
    const client = new pg.Client({host: '127.0.0.1', port: this.port, database: name, ...administrator})
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
}

/**
 * Debian's PgBouncer with `deploy/pgbouncer.ini`, in transaction mode. It asks the database for the passwords of both
 * logins.
 */
export class Pooler {
  private process: OwnProcess | undefined

  private constructor(
    readonly port: number,
    private readonly file: string,
    private readonly logs: string,
  ) {}

  static async create(folder: string, logs: string, postgresPort: number): Promise<Pooler> {
    makeFolder(folder)
    const port = await freePort()
    writeFileSync(join(folder, 'users.txt'), `"${administrator.user}" "${administrator.password}"\n`)
    const file = join(folder, 'pgbouncer.ini')
    let text = readFileSync(join(root, 'deploy/pgbouncer.ini'), 'utf8')
    for (const [from, to] of [
      ['port=5432', `port=${postgresPort}`],
      ['listen_port = 6432', `listen_port = ${port}`],
      ['auth_file = /etc/pgbouncer/users.txt', `auth_file = ${join(folder, 'users.txt')}`],
    ] as const) {
      if (!text.includes(from)) throw new Error(`deploy/pgbouncer.ini has no ${from}`)
      text = text.replace(from, to)
    }
    writeFileSync(file, text)
    const pooler = new Pooler(port, file, logs)
    await pooler.start()
    return pooler
  }

  async start(): Promise<void> {
    this.process = new OwnProcess({
      name: 'pgbouncer',
      command: [poolerProgram, this.file],
      logs: this.logs,
      asNobody: true,
    })
    await until('PgBouncer answers', async () => {
      const client = new pg.Client({host: '127.0.0.1', port: this.port, database, ...administrator})
      await client.connect()
      await client.end()
      return true
    })
  }

  async stop(): Promise<void> {
    await this.process?.signal('SIGKILL')
  }
}
