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

/** Commands and events of the DevTools protocol over the pipe of a browser: JSON, each message ended by a zero byte. @param {import('node:stream').Writable} commands @param {import('node:stream').Readable} messages */
function openProtocol(commands, messages) {
  /** @type {Map<number, {resolve: (result: Result) => void, reject: (error: Error) => void}>} */
  const waiting = new Map()
  /** @type {Set<(message: Message) => void>} */
  const listeners = new Set()
  let last = 0
  let rest = ''
  messages.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    const parts = (rest + text).split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) receive(JSON.parse(part))
  })
  const receive = (/** @type {Message} */ message) => {
    if (message.id === undefined) return listeners.forEach((listen) => listen(message))
    const request = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) request?.resolve(message.result)
    else request?.reject(new Error(message.error.message))
  }
  return {
    /** @param {string} method @param {object} [params] @param {string} [sessionId] @returns {Promise<Result>} */
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, {resolve, reject})
        commands.write(`${JSON.stringify({id: last, method, params, sessionId})}\0`)
      }),
    /** The next event of this name in a session. @param {string} method @param {string} sessionId @returns {Promise<void>} */
    next: (method, sessionId) =>
      new Promise((resolve) => {
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
 * A Chromium without a test runner's debugger (docs/decisions/0149-measured-without-a-debugger.md): `Runtime.enable`, which
 * Playwright sends to each page, has V8 compile the page's script a second time.
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
  const {send, next} = openProtocol(commands, messages)

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
      await Promise.all([send('Browser.close'), exit])
      rmSync(profile, {recursive: true, force: true, maxRetries: 5})
    },
  }
}
