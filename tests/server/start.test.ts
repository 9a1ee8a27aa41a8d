import {execFileSync} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {silentLog} from '#server/log.ts'
import {takeOver} from '#server/store/cluster-processes.ts'
import {postgresProcessesIn} from '#server/store/process-table.ts'
import {Checkout} from '../tools/checkout.ts'
import {builtServer, ServerProcess} from './built-server.ts'
import {freePort} from './free-port.ts'
import {long} from '../long.ts'

const canary = 'canary-8f2b11c0'

let entry: string
/**
 * A data folder as a server leaves it that has been stopped: what most tests begin with, since initdb takes seconds.
 */
let used: string
let port: string
let address: string
let folder: string
const started: ServerProcess[] = []

beforeAll(async () => {
  entry = builtServer()
  used = newFolder()
  const server = new ServerProcess(entry, {PORT: String(await freePort()), DATA_DIR: used})
  await server.ready()
  await server.signal('SIGTERM')
}, 240_000)
afterAll(() => rmSync(used, {recursive: true, force: true}))
beforeEach(async () => {
  folder = newFolder()
  port = String(await freePort())
  address = `http://127.0.0.1:${port}`
})
afterEach(async () => {
  for (const server of started.splice(0)) await server.signal('SIGKILL')
  await takeOver(join(folder, 'postgres'), silentLog)
  rmSync(folder, {recursive: true, force: true})
})

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'atrium-start-'))
}

/** Copies the folder with its owners and modes: the database may belong to another user than the server. */
const beginUsed = () => execFileSync('cp', ['-a', `${used}/.`, folder])

function run(environment: Record<string, string> = {}, parameters: string[] = []): ServerProcess {
  const server = new ServerProcess(entry, {PORT: port, DATA_DIR: folder, ...environment}, parameters)
  started.push(server)
  return server
}

const databaseProcesses = () => postgresProcessesIn(join(folder, 'postgres'), undefined)

describe('a server process', {timeout: 120_000}, () => {
  test('says one line, keeps its secrets, and stops with its database on SIGTERM', async () => {
    const server = await run({
      OPENAI_API_KEY: canary,
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      SECRET: `${canary}${'x'.repeat(32)}`,
    }).ready()
    expect(server.output).toBe(`Atrium is ready: http://localhost:${port}\n`)
    const answers = await Promise.all(
      [
        '/',
        '/services/auth/auth/login',
        '/services/platform/api/v1/users/me',
        '/services/platform/api/v1/sites/?origin=http://foo',
        '/services/none',
      ].map(async (path) => {
        const response = await fetch(address + path)
        return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`
      }),
    )
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['200', '200', '401', '200', '404'])
    expect(await server.signal('SIGTERM')).toBe(0)
    expect(databaseProcesses()).toEqual([])
    expect(existsSync(join(folder, 'atrium.lock'))).toBe(false)
    expect([server.output, server.log, ...answers].join('\n')).not.toContain(canary)
    for (const line of server.log.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('message')
  })

  test('makes a secret that only its owner reads, once', async () => {
    beginUsed()
    const secret = readFileSync(join(folder, 'secret'), 'utf8')
    expect([secret.length >= 32, statSync(join(folder, 'secret')).mode & 0o777]).toEqual([true, 0o600])
    expect(await (await run().ready()).signal('SIGINT')).toBe(0)
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(secret)
  })

  test('starts again and again on what it left', long, async () => {
    beginUsed()
    for (const next of [run, run]) {
      const again = await next().ready()
      expect((await fetch(address)).status).toBe(200)
      expect(await again.signal('SIGTERM')).toBe(0)
    }
  })

  test('that is killed leaves nothing that blocks; a second one is refused while it runs', async () => {
    beginUsed()
    const first = await run().ready()
    const second = run({PORT: String(await freePort())})
    expect(await second.ended()).toBe(78)
    expect([second.output, second.log]).toEqual([
      '',
      `\natrium: The data folder ${folder} is in use by process ${first.pid}. Stop that server, or set DATA_DIR to another folder.\n`,
    ])
    expect((await fetch(address)).status).toBe(200)
    expect(await first.signal('SIGKILL')).toBe('SIGKILL')
    expect(databaseProcesses().length).toBeGreaterThan(0)
    const third = await run().ready()
    expect((await fetch(address)).status).toBe(200)
    expect((await fetch(`${address}/services/platform/api/v1/users/me`)).status).toBe(401)
    expect(await third.signal('SIGTERM')).toBe(0)
  })

  test('whose supervisor is killed stops with its database; the next start finds the folder free', async () => {
    beginUsed()
    const checkout = new Checkout()
    try {
      const server = `await import(${JSON.stringify(pathToFileURL(entry).href)})`
      const settings = {SERVER: server, PORT: port, DATA_DIR: folder, DETECT_LOCAL: 'false'}
      const {child, says, ended} = checkout.start('start.mjs', settings)
      await says('Atrium is ready')
      expect(databaseProcesses().length).toBeGreaterThan(0)
      child.kill('SIGKILL')
      // its output closes with the last process that writes to it: the server
      expect((await ended()).code).toBe(null)
      expect(databaseProcesses()).toEqual([])
      const again = checkout.start('start.mjs', settings)
      await again.says('Atrium is ready')
      expect((await fetch(address)).status).toBe(200)
      again.child.kill('SIGTERM')
      expect((await again.ended()).code).toBe(0)
    } finally {
      checkout.remove()
    }
  })

  test('whose supervisor is killed is waited for by a start that comes at once', long, async () => {
    beginUsed()
    const checkout = new Checkout()
    try {
      const server = `await import(${JSON.stringify(pathToFileURL(entry).href)})`
      const settings = {SERVER: server, PORT: port, DATA_DIR: folder, DETECT_LOCAL: 'false'}
      const first = checkout.start('start.mjs', settings)
      await first.says('Atrium is ready')
      first.child.kill('SIGKILL')
      const second = checkout.start('start.mjs', settings)
      await second.says('Atrium is ready')
      expect((await first.ended()).code).toBe(null)
      expect((await fetch(address)).status).toBe(200)
      second.child.kill('SIGTERM')
      const {code, log} = await second.ended()
      expect([code, log]).toEqual([0, expect.not.stringContaining('is in use by process')])
    } finally {
      checkout.remove()
    }
  })

  test('stopped in the middle of its start leaves no database running', async () => {
    const server = run()
    // The folder appears with initdb, long before the ready line.
    while (!existsSync(folder) || !readdirSync(folder).some((name) => name.startsWith('postgres')))
      await new Promise(setImmediate)
    expect([0, 1]).toContain(await server.signal('SIGTERM'))
    expect(server.output).toBe('')
  })

  test('whose port is taken says so and stops its database again', async () => {
    beginUsed()
    const other = createServer().listen(Number(port), '127.0.0.1')
    await once(other, 'listening')
    const server = run()
    expect(await server.ended()).toBe(78)
    other.close()
    expect(server.log).toContain(
      `\natrium: PORT: port ${port} is in use by another program. Stop that program, or set another port.\n`,
    )
    expect(databaseProcesses()).toEqual([])
  })

  const refusedWith = async (environment: Record<string, string>, sentence: string) => {
    const server = run(environment)
    expect(await server.ended()).toBe(78)
    expect(server.log).toContain('\natrium: ')
    expect(server.log).toContain(sentence)
    expect(server.log).not.toMatch(/\n\s+at /)
    expect(server.output).toBe('')
  }
  // read before anything is opened, and as the data folder is made; config.test.ts has every setting
  test.each([
    [{PORT: 'eighty'}, 'PORT must be a whole number from 1 to 65535, not "eighty".'],
    [
      {DATA_DIR: '/proc/atrium'},
      'DATA_DIR /proc/atrium cannot be made: this place takes no folders. Set DATA_DIR to a folder',
    ],
  ])('with %o is refused with a sentence', refusedWith)

  test.each([
    [{PORT: '70000'}, 'PORT must be a whole number from 1 to 65535, not "70000".'],
    [{HOST: '0.0.0.0'}, 'PUBLIC_ORIGINS'],
    [{AUTH_ORIGIN: 'ftp://foo'}, 'AUTH_ORIGIN'],
    [
      {DATABASE_URL: 'postgresql://127.0.0.1:4139/foo?connect_timeout=1', ROLE: 'boss'},
      'ROLE must be one of all, api, worker, not "boss".',
    ],
    [{EXCHANGE_RATES_FILE: '/none.json'}, 'EXCHANGE_RATES_FILE'],
  ])('with %o is refused with a sentence', long, refusedWith)

  test.each([['file'], ['file', 'below']])(
    'a data folder at %s, which is a file, is refused with a sentence',
    long,
    async (...names) => {
      writeFileSync(join(folder, 'file'), '')
      const server = run({DATA_DIR: join(folder, ...names)})
      expect([await server.ended(), server.log]).toEqual([78, expect.stringContaining('atrium: DATA_DIR')])
      expect(server.log).not.toMatch(/\n\s+at /)
      expect(server.output).toBe('')
    },
  )
})

describe("the operator's commands", {timeout: 120_000}, () => {
  test('say how they are used', async () => {
    const help = run({}, ['admin', '--help'])
    expect([await help.ended(), help.output]).toEqual([0, expect.stringContaining('reset-password <email>')])
    const unknown = run({}, ['admin', 'explode'])
    expect([await unknown.ended(), unknown.log]).toEqual([78, expect.stringContaining('There is no command explode.')])
    const lonely = run({}, ['admin', 'make-admin'])
    expect([await lonely.ended(), lonely.log]).toEqual([
      78,
      expect.stringContaining('make-admin takes exactly one argument.'),
    ])
  })

  test('work on the database of the running server', async () => {
    beginUsed()
    const server = await run().ready()
    const command = run({}, ['admin', 'make-admin', 'nobody@example.com'])
    expect([await command.ended(), command.log]).toEqual([78, '\natrium: There is no account nobody@example.com.\n'])
    expect(await server.signal('SIGTERM')).toBe(0)
  })
})
