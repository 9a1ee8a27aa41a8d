import {execFileSync, spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {join, resolve} from 'node:path'
import {pathToFileURL} from 'node:url'

const root = resolve(import.meta.dirname, '../..')

let isBuilt = false

/**
 * The server as `npm start` runs it: built once for these sources, by the first test that needs it. The build does not
 * see the test's environment, where NODE_ENV is `test`: it would be a development build, and `npm start` would serve
 * it. The sources are compared with the build once in each worker.
 */
export function builtServer(): string {
  if (!isBuilt) build()
  isBuilt = true
  return join(root, 'dist/server/main.js')
}

function build(): void {
  const program = pathToFileURL(join(root, 'src/tools/build.mjs')).href
  const script = `const {ensureBuilt} = await import(${JSON.stringify(program)}); ensureBuilt()`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: {PATH: process.env['PATH']},
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** A server process with what it wrote. It sees the given environment and nothing of the test's. */
export class ServerProcess {
  output = ''
  log = ''
  private readonly child: ChildProcess
  private readonly exited: Promise<unknown[]>

  constructor(entry: string, environment: Record<string, string>, parameters: readonly string[] = []) {
    this.child = spawn(process.execPath, [entry, ...parameters], {
      cwd: root,
      env: {PATH: process.env['PATH'], DETECT_LOCAL: 'false', ...environment},
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.on('data', (bytes: Buffer) => (this.output += bytes.toString()))
    this.child.stderr?.on('data', (bytes: Buffer) => (this.log += bytes.toString()))
    this.exited = once(this.child, 'close')
  }

  /** Resolves when the ready line is there; rejects when the process ends before. */
  async ready(): Promise<this> {
    const line = new Promise<void>((resolve) => {
      this.child.stdout?.on('data', () => this.output.includes('\n') && resolve())
    })
    await Promise.race([
      line,
      this.exited.then(() => {
        throw new Error(`The server ended before it was ready:\n${this.log}`)
      }),
    ])
    return this
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Exit code, or the signal that ended it. */
  async ended(): Promise<number | string | null> {
    await this.exited
    return this.child.exitCode ?? this.child.signalCode
  }

  async signal(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | string | null> {
    this.child.kill(signal)
    return this.ended()
  }

  [Symbol.dispose](): void {
    this.child.kill('SIGKILL')
  }
}
