import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, mkdirSync, realpathSync, rmSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import pg from 'pg'
import {ensureChromium} from '../chromium.mjs'
import {cacheFolder, distFolder, root} from '../paths.mjs'
import {startModelServer} from './model-server.mjs'

export const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system gave no port')
  return address.port
}

/**
 * Runs a program of ours until it has printed the address, or that it is ready where it has none. @param {string[]}
 * args @param {NodeJS.ProcessEnv} environment
 */
export async function runUntilReady(args, environment) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {...process.env, ...environment},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (bytes) => (output = (output + bytes).slice(-10_000)))
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      output += bytes
      if (/http:\/\/|is ready/.test(output)) resolve(undefined)
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready:\n${output}`)))
  })
  return {
    child,
    output: () => output,
    milliseconds: performance.now() - startedAt,
    kill: async () => {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
  }
}

/**
 * @typedef {{token: string, accessToken: string, userId: string, storage:
 * Awaited<ReturnType<import('playwright').BrowserContext['storageState']>>}} User
 */

/**
 * An installation of the built app with a model server of ours, a browser, and one registered user. Everything is made
 * when a part first needs it and ends with `close`.
 * @typedef {Awaited<ReturnType<typeof createBench>>} Bench
 */
export async function createBench() {
  mkdirSync(cacheFolder, {recursive: true})
  const dataDir = mkdtempSync(join(cacheFolder, 'bench-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const models = await startModelServer()
  const environment = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DETECT_LOCAL: 'false',
    NAME_CONVERSATIONS: 'false',
    LIMIT_FACTOR: '1000',
    FREE_CREDITS: '1000000',
    OPENAI_BASE_URL: models.baseUrl,
  }
  const run = (/** @type {string[]} */ options = []) =>
    runUntilReady([...options, join(distFolder, 'server/main.js')], environment)
  let server = await run()
  /** @type {import('playwright').Browser | undefined} */
  let browser
  /** @type {User | undefined} */
  let user

  const openBrowser = async () => {
    const executablePath = ensureChromium()
    const {chromium} = await import('playwright')
    browser ??= await chromium.launch({
      ...(executablePath ? {executablePath} : {}),
      args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
    })
    return browser
  }

  const register = async (/** @type {string} */ address) => {
    const context = await (await openBrowser()).newContext()
    const page = await context.newPage()
    await page.goto(address)
    await page.getByRole('link', {name: 'Create an account'}).click()
    await page.getByLabel('Email').fill('bench@example.test')
    await page.getByLabel('Password', {exact: true}).fill('correct horse battery')
    await page.getByRole('button', {name: 'Create account'}).click()
    await page.getByRole('dialog').getByRole('button', {name: 'Agree and start'}).click()
    await page.getByRole('dialog').waitFor({state: 'detached'})
    await page.waitForFunction(() => (localStorage.getItem('vuex') ?? '').includes('"credential"'))
    const state = await page.evaluate(() => JSON.parse(localStorage.getItem('vuex') ?? '{}'))
    const storage = await context.storageState()
    await context.close()
    return {token: state.chat.credential.token, accessToken: state.token.access, userId: state.user.id, storage}
  }

  return {
    url,
    dataDir,
    environment,
    modelsUrl: models.baseUrl,
    /** When the model server began with the answer to a question, by `performance.now()`. */
    modelStart: models.startOf,
    chatUrl: `${url}/services/api/aichat/conversations`,
    processId: () => server.child.pid ?? 0,
    /** The registered user: what their browser keeps, and the key for the api. @returns {Promise<User>} */
    user: async () => (user ??= await register(url)),
    /** The user's own token, for the management API. It lives 15 minutes. */
    accessToken: async () => (user ??= await register(url)).accessToken,
    /** A user of another installation, which has none yet. */
    userAt: register,
    /** A new browser, except that the user is signed in. @param {User} [other] at their own address */
    freshContext: async (other) => {
      const {storage} = other ?? (user ??= await register(url))
      return (await openBrowser()).newContext({storageState: storage, viewport: {width: 1440, height: 900}})
    },
    /** @param {string[]} [options] of Node, for the server that starts */
    restart: async (options) => {
      await server.stop()
      server = await run(options)
    },
    stopServer: () => server.stop(),
    /** Ends the server as a power cut would, and starts it again. */
    crash: async () => {
      await server.kill()
      server = await run()
    },
    close: async () => {
      await browser?.close()
      await server.stop()
      await models.close()
      rmSync(dataDir, {recursive: true, force: true})
    },
  }
}

/** @param {import('playwright').Page} page */
export const composer = (page) => page.getByRole('main').getByRole('textbox').last()

/**
 * Works in the database of the installation: what many questions would have left there, in a moment.
 * @template T @param {Bench} bench @param {(client: import('pg').Client) => Promise<T>} work
 */
export const inDatabase = (bench, work) => inDatabaseOf(realpathSync(join(bench.dataDir, 'postgres')), work)

/**
 * The same in a database whose socket stands in `host`, as its superuser.
 * @template T @param {string} host @param {(client: import('pg').Client) => Promise<T>} work
 */
export async function inDatabaseOf(host, work) {
  const client = new pg.Client({host, user: 'postgres', database: 'atrium'})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
