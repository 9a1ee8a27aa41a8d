import {execFile, spawn, type ChildProcess} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {createServer} from 'node:net'
import {join, resolve} from 'node:path'
import {once} from 'node:events'
import {promisify} from 'node:util'
import {databaseFolder, removeAbandoned} from '#tests/server/database-folder.ts'

const project = resolve(import.meta.dirname, '../..')
/** The number of the process that has the folder follows. */
const folderPrefix = 'atrium-e2e-'

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // one of another user runs too
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Ends and removes what runs have left that were killed. A test that has killed its own server goes on with its folder.
 */
export const removeAbandonedInstallations = (): Promise<void> =>
  removeAbandoned(folderPrefix, (name) => {
    const owner = /^atrium-e2e-(\d+)-/.exec(name)?.[1]
    return owner !== undefined && !isRunning(Number(owner))
  })

/** Environment variables; a function where they name the port. */
type Settings = Record<string, string> | ((port: number) => Record<string, string>)
/** How many ports are tried. */
const mostPorts = 5

/** A port nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  probe.close()
  await once(probe, 'close')
  return address.port
}

/**
 * One real installation: the built server with an own data folder and embedded database. It survives `kill()` and
 * `restart()` as a user's machine would: same folder, same port.
 */
export class Installation {
  /** Those that this worker has started, by their address. */
  private static readonly started = new Map<string, Installation>()

  private child: ChildProcess | undefined
  private output = ''

  private constructor(
    readonly port: number,
    readonly dataDir: string,
    private readonly environment: Record<string, string>,
    private readonly folder: string,
  ) {}

  /** @param folder of the project that was built */
  static async start(settings: Settings = {}, folder = project): Promise<Installation> {
    for (let attempt = 1; ; attempt += 1) {
      const installation = Installation.on(await freePort(), settings, folder)
      try {
        await installation.run()
        Installation.started.set(installation.url, installation)
        return installation
      } catch (error) {
        await installation.dispose()
        // another worker, or a connection of its own, may take the port before the server listens
        if (attempt === mostPorts || !/port \d+ is in use/.test(installation.log)) throw error
      }
    }
  }

  private static on(port: number, settings: Settings, folder: string): Installation {
    const environment = typeof settings === 'function' ? settings(port) : settings
    return new Installation(
      port,
      mkdtempSync(join(databaseFolder(), `${folderPrefix}${process.pid}-`)),
      environment,
      folder,
    )
  }

  static at(url: string): Installation {
    const installation = Installation.started.get(url)
    if (installation === undefined) throw new Error(`No installation of this worker is at ${url}.`)
    return installation
  }

  private get program(): string {
    return join(this.folder, 'dist/server/main.js')
  }

  private get settings(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      PORT: String(this.port),
      DATA_DIR: this.dataDir,
      DETECT_LOCAL: 'false',
      LIMIT_FACTOR: '100',
      ...this.environment,
    }
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  /** The log of the server so far, for assertions on what must not be in it. */
  get log(): string {
    return this.output
  }

  /** SIGKILL: the power plug. */
  async kill(): Promise<void> {
    await this.end('SIGKILL')
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM')
  }

  /** The server takes connections and answers nothing, as over a network that leads nowhere, while `work` runs. */
  async whileFrozen(work: () => Promise<void>): Promise<void> {
    const {child} = this
    if (child === undefined) throw new Error('The server does not run.')
    child.kill('SIGSTOP')
    try {
      await work()
    } finally {
      child.kill('SIGCONT')
    }
  }

  async restart(): Promise<void> {
    if (this.child) await this.stop()
    await this.run()
  }

  async dispose(): Promise<void> {
    Installation.started.delete(this.url)
    await this.stop()
    rmSync(this.dataDir, {recursive: true, force: true})
  }

  /** Runs a command of the operator beside the server; gives what it prints. */
  async admin(...words: string[]): Promise<string> {
    const {stdout} = await promisify(execFile)(process.execPath, [this.program, 'admin', ...words], {
      env: this.settings,
    })
    return stdout
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.child
    this.child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  private async run(): Promise<void> {
    const child = spawn(process.execPath, [this.program], {env: this.settings, stdio: ['ignore', 'pipe', 'pipe']})
    this.child = child
    // an earlier run wrote its address too
    const before = this.output.length
    child.stderr.on('data', (bytes: Buffer) => (this.output += bytes.toString()))
    await new Promise<void>((ready, refuse) => {
      child.stdout.on('data', (bytes: Buffer) => {
        this.output += bytes.toString()
        if (this.output.includes('http://', before)) ready()
      })
      child.on('exit', (code) =>
        refuse(new Error(`The server ended with ${code} before it was ready:\n${this.output}`)),
      )
    })
  }
}
