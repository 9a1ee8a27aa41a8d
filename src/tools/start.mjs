import {spawn} from 'node:child_process'
import {join} from 'node:path'
import {ensureBuilt} from './build.mjs'
import {ensureInstalled} from './install.mjs'
import {whenNpmEnds} from './launcher.mjs'
import {distFolder, root} from './paths.mjs'
import {passingExitCode, refusedExitCode} from './refuse.mjs'

const backoffMilliseconds = [500, 1_000, 2_000, 5_000, 15_000, 30_000]
/** A server that ran this long was well: the next crash starts at the shortest wait again. */
const wellAfterMilliseconds = 60_000

/**
 * Keeps the server running (security R32): a crash restarts it with growing waits; a refusal (wrong setting, data
 * folder in use) and a wanted stop do not.
 */
function supervise() {
  let crashes = 0
  let stopping = false
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  /** @type {NodeJS.Timeout | undefined} */
  let timer

  const run = () => {
    const startedAt = Date.now()
    child = spawn(process.execPath, ['--enable-source-maps', join(distFolder, 'server/main.js')], {
      cwd: root,
      // The channel says nothing; its end tells the server that this process is gone, even by SIGKILL.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: {...process.env, ATRIUM_SUPERVISED: '1'},
    })
    child.on('exit', (code, signal) => {
      child = undefined
      if (stopping || code === 0 || code === refusedExitCode) process.exit(code ?? (signal ? 1 : 0))
      if (Date.now() - startedAt > wellAfterMilliseconds) crashes = 0
      const wait = backoffMilliseconds[Math.min(crashes, backoffMilliseconds.length - 1)] ?? 30_000
      crashes += 1
      const what = code === passingExitCode ? '' : `the server ended unexpectedly (${signal ?? `code ${code}`}); `
      process.stderr.write(`atrium: ${what}starting it again in ${wait / 1000} s.\n`)
      timer = setTimeout(run, wait)
    })
  }

  /** @param {'SIGINT' | 'SIGTERM'} signal */
  const stop = (signal) => {
    stopping = true
    clearTimeout(timer)
    if (child) child.kill(signal)
    else process.exit(0)
  }

  process.on('SIGINT', () => stop('SIGINT'))
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGHUP', () => stop('SIGTERM'))
  whenNpmEnds(() => stop('SIGTERM'))
  run()
}

ensureInstalled({development: false})
ensureBuilt()
supervise()
