import {execFile} from 'node:child_process'
import {appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {environment, initialize, workingFolder} from '#server/store/initialize-cluster.ts'
import {findPostgres} from '#server/store/postgres-binaries.ts'
import {makeCertificates} from './certificates.ts'
import {administer, migrateTemplate, withDatabase, type TestDatabase} from './database.setup.ts'
import {freePort} from './free-port.ts'

const execute = promisify(execFile)
const template = 'atrium_template'

/** How PostgreSQL ends: `fast` ends the sessions, `immediate` is a crash that it recovers from. */
export type Way = 'fast' | 'immediate'

/** A PostgreSQL of one test, on a port of loopback, that is restarted as an operator does it. */
export class OwnPostgres {
  private readonly programs = findPostgres()
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly certificates: ReturnType<typeof makeCertificates> | undefined,
  ) {}

  /**
   * Starts it; with `isEncrypted` it takes no other connections, and its certificate is that of an authority of its
   * own.
   */
  static async start({isEncrypted = false} = {}): Promise<OwnPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-restarted-'))
    // its account walks through
    chmodSync(folder, 0o711)
    const postgres = new OwnPostgres(folder, await freePort(), isEncrypted ? makeCertificates(folder) : undefined)
    postgres.ownKey()
    await initialize(folder, postgres.data, postgres.programs)
    const rules = join(postgres.data, 'pg_hba.conf')
    if (isEncrypted) writeFileSync(rules, 'hostssl all all 127.0.0.1/32 trust\n')
    else appendFileSync(rules, 'host all all 127.0.0.1/32 trust\n')
    await postgres.start()
    const {administrator, owner} = postgres.database
    await administer(administrator, 'create role atrium login createrole')
    await administer(administrator, `create database ${template} owner atrium encoding 'UTF8' template template0`)
    await migrateTemplate(withDatabase(owner, template))
    return postgres
  }

  private get data(): string {
    return join(this.folder, 'postgres')
  }

  /** Its databases, for `createTestServer`. */
  get database(): TestDatabase {
    const query = this.certificates ? `?sslmode=verify-full&sslrootcert=${this.certificates.authority}` : ''
    const address = (role: string) => ({
      connectionString: `postgresql://${role}@127.0.0.1:${this.port}/postgres${query}`,
    })
    return {administrator: address('postgres'), owner: address('atrium'), ownerRole: 'atrium', template}
  }

  async start(): Promise<void> {
    const settings = [
      `-c port=${this.port}`,
      '-c listen_addresses=127.0.0.1',
      "-c unix_socket_directories=''",
      '-c max_connections=150',
      ...(this.certificates
        ? ['-c ssl=on', `-c ssl_cert_file=${this.certificates.certificate}`, `-c ssl_key_file=${this.certificates.key}`]
        : []),
    ]
    await this.control('start', '--options', settings.join(' '), '--log', 'log.txt')
  }

  /** PostgreSQL reads a key that is its account's alone. */
  private ownKey(): void {
    const {account} = this.programs
    if (this.certificates && account) chownSync(this.certificates.key, account.uid, account.gid)
  }

  restart(way: Way): Promise<void> {
    return this.control('restart', '--mode', way, '--log', 'log.txt')
  }

  stop(way: Way): Promise<void> {
    return this.control('stop', '--mode', way)
  }

  async close(): Promise<void> {
    await this.stop('fast')
    rmSync(this.folder, {recursive: true, force: true})
  }

  private async control(command: 'start' | 'stop' | 'restart', ...parameters: string[]): Promise<void> {
    await execute(
      join(this.programs.folder, 'bin', 'pg_ctl'),
      [command, '--wait', '--pgdata', workingFolder(this.data), ...parameters],
      {
        cwd: this.data,
        env: environment(),
        ...this.programs.account,
      },
    )
  }
}
