import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test, vi} from 'vitest'
import {openPlainBrowser} from '#tools/bench/plain-browser.mjs'

/** A browser that reads commands and answers none; it ends at the one that is named. */
const browserThatEndsAt = (method: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-browser-'))
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
  const path = join(folder, 'browser')
  writeFileSync(
    path,
    `#!${process.execPath}
    const {createReadStream} = require('node:fs')
    createReadStream(null, {fd: 3}).on('data', (bytes) => bytes.includes('${method}') && process.exit())
    `,
  )
  chmodSync(path, 0o755)
  vi.stubEnv('CHROMIUM_PATH', path)
}

test('a browser that ends without an answer to its last command is closed', async () => {
  browserThatEndsAt('Browser.close')
  const browser = await openPlainBrowser()
  await expect(browser.close()).resolves.toBeUndefined()
})

test('a browser that ends while the benchmark waits for it is an error', async () => {
  browserThatEndsAt('SystemInfo.getProcessInfo')
  const browser = await openPlainBrowser()
  await expect(browser.renderers()).rejects.toThrow('SystemInfo.getProcessInfo: The browser has ended')
})
