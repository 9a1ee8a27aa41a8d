import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {chromium} from '@playwright/test'
import {findChromium} from '#tools/chromium.mjs'
import {freePort} from '../../e2e/support/installation.ts'
import {RecordingProxy, type Exchange} from './recording-proxy.ts'
import {walk} from './walk.ts'

/*
 * Records a release for tests/server/releases.test.ts, once, before the next version is begun:
 *
 *   npx tsx tests/releases/record.ts <folder of the built release> tests/fixtures/releases/<version> postgresql://…
 *
 * The database is empty and of a PostgreSQL that `pg_dump` reads. The built server of the release and its built client
 * in Chromium do all that `walk.ts` does; then work is begun, and the server is killed in the midst of it.
 */

/** The secret protects nothing: all of the installation is made here. */
const secret = 'recorded'.repeat(8)
const largestFile = 60_000

const [release = '', target = '', database = ''] = process.argv.slice(2)
const dataDir = mkdtempSync(join(tmpdir(), 'atrium-record-'))
const [port, serverPort] = [await freePort(), await freePort()]
const url = `http://localhost:${port}`

const startRelease = async (role: 'all' | 'api') => {
  const child = spawn(process.execPath, [join(resolve(release), 'dist/server/main.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(serverPort),
      PUBLIC_ORIGINS: url,
      DATA_DIR: dataDir,
      DATABASE_URL: database,
      SECRET: secret,
      ROLE: role,
      DETECT_LOCAL: 'false',
      REGISTRATION: 'open',
      SANDBOX_PAYMENTS: 'true',
    },
  })
  await once(child.stdout, 'data')
  return child
}
const killRelease = async () => {
  server.kill('SIGKILL')
  await once(server, 'exit')
}
let server = await startRelease('all')
const proxy = await RecordingProxy.start(port, serverPort)
const executablePath = findChromium()
const browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-gpu']})
try {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    locale: 'en',
    viewport: {width: 1440, height: 900},
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await walk(context, page, url).catch(async (error: unknown) => {
    await page.screenshot({path: join(tmpdir(), 'atrium-record.png')})
    throw error
  })
  const state = JSON.parse(await page.evaluate(() => localStorage.getItem('vuex') ?? '{}')) as KeptState // as: our own app's
  await browser.close()
  const exchanges = withoutRepeats(proxy.exchanges)
  await leaveRunning(state)
  await killRelease()
  server = await startRelease('api')
  await leaveWaiting(state)
  await killRelease()

  mkdirSync(target, {recursive: true})
  const lines = exchanges.map((exchange) => JSON.stringify(exchange))
  writeFileSync(join(target, 'client.ndjson'), `${lines.join('\n')}\n`)
  const config = JSON.parse(/id="config"[^>]*>([^<]*)</.exec(proxy.page)?.[1] ?? '{}') as {siteOrigin?: string} // as: our own page's
  const facts = {
    url,
    siteOrigin: config.siteOrigin,
    secret,
    token: state.token,
    chatKey: keyOf(state.chat),
    mediaKey: keyOf(state.flux),
  }
  writeFileSync(join(target, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`)
  writeFileSync(join(target, 'dump.sql'), dump())
  keepFiles()
} finally {
  await browser.close()
  server.kill('SIGKILL')
  proxy.close()
  rmSync(dataDir, {recursive: true, force: true})
}

type KeptState = {token: {access: string; refresh: string}; chat: Credential; flux: Credential}
type Credential = {credential: {token: string}}

function keyOf({credential}: Credential): string {
  return credential.token
}

/** A page that is opened again asks the same and is answered the same: once is enough. */
function withoutRepeats(exchanges: readonly Exchange[]): Exchange[] {
  const known = new Set<string>()
  return exchanges.filter((exchange) => {
    const text = JSON.stringify(exchange)
    const isKnown = exchange.method === 'GET' && known.has(text)
    known.add(text)
    return !isKnown
  })
}

function post(path: string, key: string, body: unknown, accept = 'application/json'): Promise<Response> {
  const headers = {authorization: `Bearer ${key}`, 'content-type': 'application/json', accept, origin: url}
  return fetch(`${url}/services/api/${path}`, {method: 'POST', headers, body: JSON.stringify(body)})
}

async function generate(state: KeptState, prompt: string): Promise<void> {
  const answer = await post('flux/images', keyOf(state.flux), {prompt, async: true})
  if (!answer.ok) throw new Error(`A task was refused with ${answer.status}: ${await answer.text()}`)
}

/** An answer and tasks that run, and some that wait for their turn. */
async function leaveRunning(state: KeptState): Promise<void> {
  const question = {question: '/slow', model: 'sandbox-chatgpt', stateful: true}
  const answer = await post('aichat/conversations', keyOf(state.chat), question, 'text/event-stream')
  for (let count = 1; count <= 6; count += 1) await generate(state, count <= 5 ? '/slow' : 'A boat')
  const reading = answer.body?.getReader()
  for (let parts = 0; parts < 12; parts += 1) await reading?.read()
  await reading?.cancel()
}

/** Jobs of a node that runs none itself. */
async function leaveWaiting(state: KeptState): Promise<void> {
  await generate(state, 'A harbour')
  await generate(state, 'A pier')
}

/** Plain statements, without what only a superuser or one version of the programs may say. */
function dump(): string {
  const text = execFileSync(
    'pg_dump',
    ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-comments', '--enable-row-security', database],
    {
      encoding: 'utf8',
      maxBuffer: 64_000_000,
    },
  )
  return text
    .split('\n')
    .filter((line) => !/^(--|SET |\\|$)|set_config\('search_path'|^CREATE SCHEMA public;/.test(line))
    .join('\n')
}

/** Keeps the small files; the others are rows without bytes, as after a lost disk. */
function keepFiles(): void {
  const folder = join(dataDir, 'files')
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder, {recursive: true, encoding: 'utf8'})) {
    const path = join(folder, name)
    if (statSync(path).isFile() && statSync(path).size <= largestFile) cpSync(path, join(target, 'files', name))
  }
}
