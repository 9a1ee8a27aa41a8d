import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {freePort} from '../server/free-port.ts'
import {OwnProcess, until} from './own-process.ts'

export const proxyProgram = '/usr/sbin/haproxy'

/**
 * How a line is cut. `silent`: packets are swallowed, and what was under way arrives late, as after a cable that was
 * out.
 * `forgotten`: swallowed as well, but the way has forgotten the connections when it is back. `refused`: both ends are
 * told at once.
 */
export const cuts = ['silent', 'forgotten', 'refused'] as const
export type Cut = (typeof cuts)[number]

/** Ports that people of one side know, with the port each leads to. */
type Way = {port: number; target: number}

/** One line of a node: an HAProxy of its own that carries bytes, so that it can be frozen and killed alone. */
export class Line {
  private process: OwnProcess | undefined
  private cutAs: Cut | undefined

  private constructor(
    private readonly name: string,
    private readonly file: string,
    private readonly logs: string,
    private readonly ways: readonly Way[],
  ) {}

  static async lay(name: string, folder: string, logs: string, targets: readonly number[]): Promise<Line> {
    const ways: Way[] = []
    for (const target of targets) ways.push({port: await freePort(), target})
    const file = join(folder, `${name}.cfg`)
    writeFileSync(
      file,
      [
        ...['global', '  maxconn 1000', '  nbthread 1'],
        ...['defaults', '  mode tcp', '  retries 0', '  timeout connect 5s'],
        // whose silence is what is tested ends nothing itself
        ...['  timeout client 1h', '  timeout server 1h'],
        ...ways.flatMap(({port, target}) => [
          `listen way-${port}`,
          `  bind 127.0.0.1:${port}`,
          `  server far 127.0.0.1:${target}`,
        ]),
        '',
      ].join('\n'),
    )
    const line = new Line(name, file, logs, ways)
    line.start()
    return line
  }

  /** The port on which this line reaches a target. */
  portTo(target: number): number {
    const way = this.ways.find((each) => each.target === target)
    if (way === undefined) throw new Error(`The line ${this.name} does not lead to ${target}.`)
    return way.port
  }

  async cut(how: Cut): Promise<void> {
    this.cutAs = how
    if (how === 'refused') await this.process?.signal('SIGKILL')
    else this.process?.freeze()
  }

  async mend(): Promise<void> {
    if (this.cutAs === 'silent') this.process?.thaw()
    else {
      await this.process?.signal('SIGKILL')
      this.start()
    }
    this.cutAs = undefined
    await until(`the line ${this.name} carries again`, async () => this.process?.isRunning === true)
  }

  private start(): void {
    this.process = new OwnProcess({
      name: `line-${this.name}`,
      command: [proxyProgram, '-db', '-f', this.file],
      logs: this.logs,
    })
  }
}
