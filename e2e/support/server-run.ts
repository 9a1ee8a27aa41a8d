import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {resolve} from 'node:path'

const entry = resolve(import.meta.dirname, '../../dist/server/main.js')

/** One run of the built server: nothing in its environment but what the test gives. */
export class ServerRun {
  /** What it wrote: the one line for people, and the log. */
  output = ''
  log = ''
  private readonly child: ChildProcess
  private readonly closed: Promise<unknown[]>

  constructor(environment: Record<string, string>) {
    this.child = spawn(process.execPath, [entry], {
      env: {PATH: process.env['PATH'], DETECT_LOCAL: 'false', ...environment},
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.on('data', (bytes: Buffer) => (this.output += bytes.toString()))
    this.child.stderr?.on('data', (bytes: Buffer) => (this.log += bytes.toString()))
    this.closed = once(this.child, 'close')
  }

  /** The address it printed. Rejects when it ended before. */
  async address(): Promise<string> {
    const line = new Promise<void>((found) => {
      this.child.stdout?.on('data', () => this.output.includes('\n') && found())
    })
    const ended = this.closed.then(() => {
      throw new Error(`The server ended before it was ready:\n${this.log}`)
    })
    await Promise.race([line, ended])
    const [address] = /http:\/\/\S+/.exec(this.output) ?? []
    if (address === undefined) throw new Error(`No address in: ${this.output}`)
    return address
  }

  /** Exit code, or the signal that ended it. */
  async ended(): Promise<number | string | null> {
    await this.closed
    return this.child.exitCode ?? this.child.signalCode
  }

  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null> {
    this.child.kill(signal)
    return this.ended()
  }
}
