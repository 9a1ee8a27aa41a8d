import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {passingExitCode} from '#tools/refuse.mjs'
import {freePort} from '../server/free-port.ts'
import {Line, proxyProgram} from './lines.ts'
import {OwnProcess, until} from './own-process.ts'

export type Role = 'all' | 'api' | 'worker'
/** A node can be cut off from each of these. */
export type Side = 'database' | 'store' | 'people'
type Parts = {
  name: string
  role: Role
  entry: string
  logs: string
  environment: Record<string, string>
  /** Its ways to the others. */
  database: Line
  store: Line
}

/** One node of the built server. */
export class ClusterNode {
  private process: OwnProcess | undefined
  /** The causes of deaths that the run did not plan. */
  readonly deaths: string[] = []

  private constructor(
    private readonly parts: Parts,
    readonly port: number,
    private readonly healthPort: number,
    /** The line from the proxy to it. */
    private readonly people: Line,
  ) {}

  static async create(parts: Parts, folder: string): Promise<ClusterNode> {
    const port = await freePort()
    const {name, role, logs} = parts
    const people = await Line.lay(`${name}-people`, folder, logs, [port])
    return new ClusterNode(parts, port, role === 'worker' ? await freePort() : port, people)
  }

  get name(): string {
    return this.parts.name
  }
  /** The port on which the proxy reaches it. */
  get doorPort(): number {
    return this.people.portTo(this.port)
  }
  lineOf(side: Side): Line {
    return side === 'people' ? this.people : this.parts[side]
  }
  /** Whether the proxy leads people to it. */
  get isServing(): boolean {
    return this.parts.role !== 'worker'
  }

  start(): void {
    const {name, role, entry, logs, environment} = this.parts
    const process = new OwnProcess({
      name,
      command: [globalThis.process.execPath, entry],
      logs,
      environment: {
        ...environment,
        PORT: String(this.port),
        ROLE: role,
        ...(role === 'worker' ? {HEALTH_PORT: String(this.healthPort)} : {}),
      },
    })
    this.process = process
    void process.ended().then(async (how) => {
      if (this.process !== process) return
      // as systemd does (deploy/systemd)
      if (how === passingExitCode) {
        await pause(2_000)
        if (this.process === process) this.start()
      } else this.deaths.push(`${new Date().toISOString()} ${name} ended by itself: ${how}`)
    })
  }

  /** Asks for the node's own report, past all lines. Rejects if it does not answer. */
  health = async (): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${this.healthPort}/healthz`, {signal: AbortSignal.timeout(3_000)})
    const {state} = (await response.json()) as {state: string} // as: its contract
    if (response.ok !== (state === 'ready')) throw new Error(`${response.status} and ${state}`)
    return state
  }

  isReady = async (): Promise<boolean> => (await this.health()) === 'ready'

  ready(): Promise<void> {
    return until(`${this.name} is ready`, this.isReady, 120)
  }

  /** After a blow: one that does not come back is judged, and the run goes on. */
  async backAgain(): Promise<void> {
    await this.ready().catch((error: Error) => this.deaths.push(`${new Date().toISOString()} ${error.message}`))
  }

  /** Gives how it ended. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null | undefined> {
    const process = this.process
    this.process = undefined
    return process?.signal(signal)
  }

  freeze(): void {
    this.process?.freeze()
  }

  thaw(): void {
    this.process?.thaw()
  }
}

/** Debian's HAProxy: in turn, without sticky sessions, by the health that the nodes tell. */
export async function startProxy(folder: string, logs: string, nodes: readonly ClusterNode[], port: number) {
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    [
      'global',
      '  maxconn 4000',
      'defaults',
      '  mode http',
      '  timeout connect 2s',
      '  timeout client 60s',
      '  timeout server 330s',
      '  timeout http-keep-alive 30s',
      '  timeout check 2s',
      '  retries 3',
      '  option redispatch',
      '  option forwardfor',
      'frontend people',
      `  bind 127.0.0.1:${port}`,
      '  default_backend nodes',
      'backend nodes',
      '  balance roundrobin',
      '  option httpchk GET /healthz?away=404',
      '  http-check disable-on-404',
      '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
      ...nodes
        .filter(({isServing}) => isServing)
        .map(({name, doorPort}) => `  server ${name} 127.0.0.1:${doorPort} check`),
      '',
    ].join('\n'),
  )
  return new OwnProcess({name: 'haproxy', command: [proxyProgram, '-db', '-f', file], logs})
}
