import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join, resolve} from 'node:path'

const scripts = resolve(import.meta.dirname, '../../src/tools')

/** The `npm` of a test notes that it was called, and fails as npm does when the test says so. */
const npm = `#!/usr/bin/env node
import {appendFileSync} from 'node:fs'
appendFileSync(process.env.CALLS, 'npm ' + process.argv.slice(2).join(' ') + '\\n')
if (process.env.NPM_FAILS) {
  const warning = 'npm warn tar TAR_ENTRY_ERROR ' + process.env.NPM_FAILS + ': of one file\\n'
  process.stderr.write(warning.repeat(Number(process.env.NPM_WARNS ?? 0)))
  process.stderr.write('npm error code ' + process.env.NPM_FAILS + '\\n')
  process.exitCode = 1
}
`

/** Instead of Vite: notes what is built, and writes a server that does what the test says. */
const vite = `import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
export async function build({build: {outDir, ssr}}) {
  appendFileSync(process.env.CALLS, 'build ' + (ssr ?? 'client') + '\\n')
  writeFileSync(process.env.CALLS + '.builder', String(process.pid))
  if (process.env.BUILD_FAILS) throw Object.assign(new Error('foo'), {code: process.env.BUILD_FAILS})
  mkdirSync(outDir, {recursive: true})
  if (ssr) writeFileSync(join(outDir, 'main.js'), process.env.SERVER ?? '')
  else writeFileSync(join(outDir, 'index.html'), '<p>foo</p>'.repeat(200))
}
`

type Ended = {code: number | null; output: string; log: string}

/**
 * A checkout with the real scripts and nothing else that is heavy: npm and Vite are stand-ins that note their calls,
 * and the server is what the test writes. Its path has a space, an umlaut and a percent sign.
 */
export class Checkout {
  readonly folder = join(mkdtempSync(join(tmpdir(), 'atrium-checkout-')), 'Ä b %41')
  private readonly programs = join(this.folder, '.programs')
  private readonly callsFile = join(this.folder, '.calls')

  constructor() {
    mkdirSync(this.programs, {recursive: true})
    cpSync(scripts, join(this.folder, 'src/tools'), {recursive: true})
    writeFileSync(join(this.folder, 'package.json'), '{"type": "module"}')
    writeFileSync(join(this.folder, 'package-lock.json'), '{}')
    mkdirSync(join(this.folder, 'node_modules/vite'), {recursive: true})
    writeFileSync(join(this.folder, 'node_modules/vite/package.json'), '{"type": "module", "main": "main.js"}')
    writeFileSync(join(this.folder, 'node_modules/vite/main.js'), vite)
    writeFileSync(join(this.programs, 'npm'), npm)
    chmodSync(join(this.programs, 'npm'), 0o755)
    writeFileSync(this.callsFile, '')
  }

  /** The commands that were run so far, installs and builds, in order. */
  get calls(): string[] {
    return readFileSync(this.callsFile, 'utf8').trim().split('\n').filter(Boolean)
  }

  /** Process that built last. */
  get builder(): number {
    return Number(readFileSync(`${this.callsFile}.builder`, 'utf8'))
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path))
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.folder, path, '..'), {recursive: true})
    writeFileSync(join(this.folder, path), text)
  }

  /**
   * Nothing exists at this path and nothing can be created there, not even by root: it leads into the kernel's own
   * files.
   */
  forbid(path: string): void {
    symlinkSync('/sys/atrium', join(this.folder, path))
  }

  start(script: string, environment: Record<string, string> = {}, parameters: string[] = []) {
    const child = spawn(process.execPath, [join(this.folder, 'src/tools', script), ...parameters], {
      cwd: tmpdir(),
      env: {PATH: `${this.programs}${delimiter}${process.env['PATH']}`, CALLS: this.callsFile, ...environment},
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended: Ended = {code: null, output: '', log: ''}
    child.stdout.on('data', (bytes: Buffer) => (ended.output += bytes.toString()))
    child.stderr.on('data', (bytes: Buffer) => (ended.log += bytes.toString()))
    const closed = once(child, 'close')
    return {
      child,
      /** Resolves when the output holds a text. */
      says: async (text: string) => {
        while (!ended.output.includes(text)) await Promise.race([once(child.stdout, 'data'), closed.then(gone)])
      },
      ended: async (): Promise<Ended> => {
        await closed
        return {...ended, code: child.exitCode}
      },
    }
  }

  run(script: string, environment: Record<string, string> = {}, parameters: string[] = []): Promise<Ended> {
    return this.start(script, environment, parameters).ended()
  }

  remove(): void {
    rmSync(resolve(this.folder, '..'), {recursive: true, force: true})
  }
}

const gone = () => {
  throw new Error('The script ended before it said so.')
}
