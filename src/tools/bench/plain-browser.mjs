import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {ensureChromium} from '../chromium.mjs'

/**
 * `any`: each method of the protocol has a result of its own, which its caller knows.
 * @typedef {any} Result
 * @typedef {{id?: number, method?: string, sessionId?: string, result?: Result, error?: {message: string}}} Message
 */

/** The longest time that a page may take to answer, in milliseconds: the longest answer is written in 30 s. */
const patience = 150_000
/** The longest time that a browser may take to end, in milliseconds, before it is ended. */
const closePatience = 10_000

/**
 * Commands and events of the DevTools protocol over the pipe of a browser: JSON, each message ended by a zero byte.
 * What waits for a message is refused when none comes in time, and when the browser has ended.
 * @param {import('node:stream').Writable} commands @param {import('node:stream').Readable} messages @param
 * {Promise<unknown>} exit
 */
function openProtocol(commands, messages, exit) {
  /** @type {Map<number, (message: Message) => void>} */
  const waiting = new Map()
  /** @type {Set<(message: Message) => void>} */
  const listeners = new Set()
  /** @type {Set<(error: Error) => void>} */
  const refusals = new Set()
  const refuseAll = (/** @type {Error} */ error) => refusals.forEach((refuse) => refuse(error))
  void exit.then(() => refuseAll(new Error('The browser has ended')), refuseAll)
  commands.on('error', refuseAll)
  let last = 0
  let rest = ''
  messages.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    const parts = (rest + text).split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) receive(JSON.parse(part))
  })
  const receive = (/** @type {Message} */ message) => {
    if (message.id === undefined) return listeners.forEach((listen) => listen(message))
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  }
  /**
   * @param {string} name of what is awaited @param {(resolve: (result?: Result) => void, reject: (error: Error) =>
   * void) => void} begin @returns {Promise<Result>}
   */
  const awaited = (name, begin) =>
    new Promise((resolve, reject) => {
      const settle = (/** @type {() => void} */ how) => {
        clearTimeout(limit)
        refusals.delete(refuse)
        how()
      }
      const refuse = (/** @type {Error} */ error) =>
        settle(() => reject(new Error(`${name}: ${error.message}`, {cause: error})))
      const limit = setTimeout(() => refuse(new Error(`no answer in ${patience / 1_000} s`)), patience)
      refusals.add(refuse)
      begin((result) => settle(() => resolve(result)), refuse)
    })
  /** @param {string} method @param {object} [params] @param {string} [sessionId] @returns {number} its id */
  const tell = (method, params = {}, sessionId) => {
    last += 1
    commands.write(`${JSON.stringify({id: last, method, params, sessionId})}\0`)
    return last
  }
  return {
    tell,
    /** @param {string} method @param {object} [params] @param {string} [sessionId] */
    send: (method, params, sessionId) =>
      awaited(method, (resolve, reject) =>
        waiting.set(tell(method, params, sessionId), ({result, error}) =>
          error === undefined ? resolve(result) : reject(new Error(error.message)),
        ),
      ),
    /** The next event of this name. @param {string} method @param {string} sessionId @returns {Promise<void>} */
    next: (method, sessionId) =>
      awaited(method, (resolve) => {
        const listen = (/** @type {Message} */ message) => {
          if (message.method !== method || message.sessionId !== sessionId) return
          listeners.delete(listen)
          resolve()
        }
        listeners.add(listen)
      }),
  }
}

/**
 * A Chromium without a test runner's debugger (docs/decisions/0149-measured-without-a-debugger.md): `Runtime.enable`,
 * which Playwright sends to each page, has V8 compile the page's script a second time.
 */
export async function openPlainBrowser() {
  const profile = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  const path = ensureChromium() ?? (await import('playwright')).chromium.executablePath()
  const child = spawn(
    path,
    ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', `--user-data-dir=${profile}`],
    {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']},
  )
  const exit = once(child, 'exit')
  // as: the pipes that `stdio` asks for
  const commands = /** @type {import('node:stream').Writable} */ (child.stdio[3])
  const messages = /** @type {import('node:stream').Readable} */ (child.stdio[4])
  const {tell, send, next} = openProtocol(commands, messages, exit)

  const openTab = async (/** @type {string} */ browserContextId) => {
    const {targetId} = await send('Target.createTarget', {url: 'about:blank', browserContextId})
    const {sessionId} = await send('Target.attachToTarget', {targetId, flatten: true})
    const tab = (/** @type {string} */ method, /** @type {object} */ params = {}) => send(method, params, sessionId)
    await tab('Page.enable')
    await tab('Network.enable')
    return {
      send: tab,
      /** @param {string} url @param {'Page.loadEventFired' | 'Page.domContentEventFired'} event */
      open: async (url, event) => {
        const arrival = next(event, sessionId)
        await tab('Page.navigate', {url})
        await arrival
      },
      /** `any`: what the expression gives. @param {string} expression @returns {Promise<any>} */
      evaluate: async (expression) => {
        const {result, exceptionDetails} = await tab('Runtime.evaluate', {
          expression,
          awaitPromise: true,
          returnByValue: true,
        })
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
        return result.value
      },
      close: () => send('Target.closeTarget', {targetId}),
    }
  }

  return {
    /**
     * A tab of a user who was never here, except for what their browser keeps.
     * @param {import('./installation.mjs').User['storage']} storage
     */
    freshTab: async ({cookies, origins}) => {
      const {browserContextId} = await send('Target.createBrowserContext')
      // in a tab of its own, whose process is not the visit's
      const before = await openTab(browserContextId)
      for (const cookie of cookies) {
        await before.send('Network.setCookie', {...cookie, expires: cookie.expires > 0 ? cookie.expires : undefined})
      }
      for (const {origin, localStorage} of origins) {
        await before.open(`${origin}/favicon.svg`, 'Page.loadEventFired')
        const items = JSON.stringify(localStorage)
        await before.evaluate(`for (const {name, value} of ${items}) localStorage.setItem(name, value)`)
      }
      const tab = await openTab(browserContextId)
      await before.close()
      return {...tab, close: () => send('Target.disposeBrowserContext', {browserContextId})}
    },
    /** Ids of the processes that show pages. @returns {Promise<number[]>} */
    renderers: async () => {
      /** @type {{processInfo: {type: string, id: number}[]}} */
      const {processInfo} = await send('SystemInfo.getProcessInfo')
      return processInfo.filter(({type}) => type === 'renderer').map(({id}) => id)
    },
    close: async () => {
      // one in five ends before it has answered
      tell('Browser.close')
      const limit = setTimeout(() => child.kill('SIGKILL'), closePatience)
      await exit
      clearTimeout(limit)
      rmSync(profile, {recursive: true, force: true, maxRetries: 5})
    },
  }
}
