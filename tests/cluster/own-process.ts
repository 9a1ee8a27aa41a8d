import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {closeSync, openSync} from 'node:fs'
import {join} from 'node:path'

/** Debian's `nobody`: PostgreSQL and PgBouncer refuse to run as root. */
export const nobody = 65_534
const isRoot = process.getuid?.() === 0

/**
 * How a program is started so that it ends with us, also when we are killed, and, for root, as `nobody`. `setpriv`
 * becomes the program, so its id is the program's.
 */
export const startedWith = (asNobody: boolean): string[] => [
  'setpriv',
  '--pdeathsig=KILL',
  ...(asNobody && isRoot ? [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []),
  '--',
]

type Start = {
  name: string
  command: readonly string[]
  /** The folder of the logs: `<name>.log` is continued there. */
  logs: string
  environment?: Record<string, string>
  asNobody?: boolean
}

const running = new Set<OwnProcess>()

/** Ends all that still runs, each by its own id. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((each) => each.signal('SIGKILL')))
}

/** A program of the cluster. It has a process group of its own, so that Ctrl+C reaches us alone. */
export class OwnProcess {
  private readonly child: ChildProcess
  private readonly exit: Promise<unknown>

  constructor({name, command, logs, environment = {}, asNobody = false}: Start) {
    const log = openSync(join(logs, `${name}.log`), 'a')
    const [program = '', ...parameters] = [...startedWith(asNobody), ...command]
    this.child = spawn(program, parameters, {
      detached: true,
      env: {PATH: process.env['PATH'], LANG: 'C.UTF-8', ...environment},
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    running.add(this)
    this.exit = once(this.child, 'close').finally(() => running.delete(this))
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** Exit code, or the signal that ended it. */
  async ended(): Promise<number | string | null> {
    await this.exit
    return this.child.exitCode ?? this.child.signalCode
  }

  /** Sends it and waits for the end. */
  async signal(signal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<number | string | null> {
    if (this.isRunning) this.child.kill(signal)
    return this.ended()
  }

  freeze(): void {
    this.child.kill('SIGSTOP')
  }

  thaw(): void {
    this.child.kill('SIGCONT')
  }
}

/** Asks until it is so. */
export async function until(what: string, isSo: () => Promise<boolean>, seconds = 60): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > end) throw new Error(`Waited ${seconds} s in vain: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
