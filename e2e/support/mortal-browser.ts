import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {chromium, type Page} from '@playwright/test'
import {findChromium} from '#tools/chromium.mjs'

/**
 * A browser with a profile of its own on the disk, which can be killed and started again: Playwright ends those that it
 * starts in good order.
 */
export class MortalBrowser {
  private readonly profile = mkdtempSync(join(tmpdir(), 'atrium-e2e-profile-'))
  private child: ChildProcess | undefined

  /** Starts it, and gives a page of it. */
  async start(): Promise<Page> {
    const options = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0']
    // with a group of its own: killed, it leaves none of its processes
    const child = spawn(
      findChromium() ?? chromium.executablePath(),
      [...options, `--user-data-dir=${this.profile}`, 'about:blank'],
      {detached: true, stdio: ['ignore', 'ignore', 'pipe']},
    )
    this.child = child
    const browser = await chromium.connectOverCDP(await addressOf(child))
    const [context] = browser.contexts()
    if (context === undefined) throw new Error('The browser has no context.')
    return context.pages()[0] ?? context.newPage()
  }

  /** Ends it as the system does that closes all windows: what it has on its way is stored. */
  async close(page: Page): Promise<void> {
    const browser = page.context().browser()
    const session = await browser?.newBrowserCDPSession()
    const gone = this.gone()
    await session?.send('Browser.close').catch(() => undefined) // it may be gone before it answers
    await gone
  }

  /** SIGKILL: out of memory, or the power plug. */
  async kill(): Promise<void> {
    const gone = this.gone()
    const pid = this.child?.pid
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    await gone
  }

  async dispose(): Promise<void> {
    await this.kill()
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 5})
  }

  private async gone(): Promise<void> {
    const {child} = this
    if (child !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    this.child = undefined
  }
}

/** The address of the tools protocol of a browser that starts. */
async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('The browser says nothing.')
  let said = ''
  for await (const line of createInterface({input: child.stderr})) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address !== undefined) {
      // nobody reads the rest
      child.stderr.resume()
      return address
    }
    said += `${line}\n`
  }
  throw new Error(`The browser did not start:\n${said}`)
}
