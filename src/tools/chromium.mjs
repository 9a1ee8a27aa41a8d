import {spawnSync} from 'node:child_process'
import {accessSync, constants, realpathSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {refuse} from './refuse.mjs'

const usualPaths = [
  // Chromium without its windows: the same pages take about 0.6 of the processor time
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** @param {string | undefined} path */
const isExecutable = (path) => {
  if (!path) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @returns {string | undefined} the path of an installed Chromium: `CHROMIUM_PATH`, else a usual path */
export const findChromium = () => [process.env.CHROMIUM_PATH, ...usualPaths].find(isExecutable)

/** @param {string} command @param {string[]} args */
const run = (command, args) =>
  spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {...process.env, DEBIAN_FRONTEND: 'noninteractive'},
  }).status === 0

/**
 * A Chromium for the browser tests: one that is there, else Debian's package when this is root, else Playwright's own
 * download, else a sentence that says what to install.
 * @returns {string | undefined} its path; `undefined` means Playwright's own
 */
export function ensureChromium() {
  const path = findChromium()
  if (path) return path
  const isRoot = process.getuid?.() === 0
  if (isRoot && isExecutable('/usr/bin/apt-get')) {
    process.stderr.write('Installing Chromium for the browser tests …\n')
    const install = (/** @type {string} */ name) =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-noto-core'])
    if (run('apt-get', ['update', '-qq']) && (install('chromium-headless-shell') || install('chromium'))) {
      const installedPath = findChromium()
      if (installedPath) return installedPath
    }
  }
  process.stderr.write('Looking for a Chromium that Playwright can download …\n')
  if (run(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium'])) return undefined
  refuse(
    'No Chromium was found for the browser tests. Install one (Debian: apt-get install chromium) or set CHROMIUM_PATH, then try again.',
  )
}

// the address of a module is percent-encoded and has no symbolic links; what was typed is neither
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) ensureChromium()
