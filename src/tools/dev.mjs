import {join} from 'node:path'
import {ensureInstalled} from './install.mjs'
import {root} from './paths.mjs'
import {refuse} from './refuse.mjs'

/*
 * `npm run dev`: the client from its sources with hot reload, and the server from its sources in the same process on
 * the same port. A change of the server's sources starts it again. Settings and data folder are those of `npm start`.
 */

const stopDeadlineMilliseconds = 10_000
/** Editors write several files at once. */
const quietMilliseconds = 150

ensureInstalled({development: true})
const {createSources} = await import('./dev/sources.mjs')
const sources = await createSources()

/** @type {{stop: () => Promise<void>, url: string | undefined} | undefined} */
let server
let isStopping = false

const start = async () => {
  const {startServer, readConfig, createLog} = await sources.loadServer()
  const config = readConfig({MODE: 'development', ...process.env})
  const log = createLog()
  const runningServer = await startServer(config, {log, development: sources.development(config)})
  server = runningServer
  return runningServer
}

/** A start that fails ends the first run with its sentence; later the next change of the sources tries again. */
const explain = (/** @type {unknown} */ error) => {
  if (error instanceof Error && error.constructor.name === 'StartFailure') return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Starts and stops wait for each other. @type {Promise<unknown>} */
let work = Promise.resolve()
const inOrder = (/** @type {() => Promise<unknown>} */ step) => (work = work.then(step))

const restart = () =>
  inOrder(async () => {
    if (isStopping) return
    try {
      await server?.stop()
      server = undefined
      await start()
      process.stdout.write('The server runs again with the changed sources\n')
    } catch (error) {
      process.stderr.write(`\natrium: ${explain(error)}\nThe next change of the server's sources starts it again.\n`)
    }
  })

const stop = (/** @type {number} */ code) => {
  if (isStopping) return
  isStopping = true
  setTimeout(() => {
    process.stderr.write('atrium: not stopped within 10 s; ending now\n')
    process.exit(1)
  }, stopDeadlineMilliseconds).unref()
  inOrder(async () => {
    await server?.stop()
    await sources.close()
  }).then(
    () => process.exit(code),
    (error) => {
      process.stderr.write(`atrium: ${explain(error)}\n`)
      process.exit(1)
    },
  )
}
process.on('SIGTERM', () => stop(0))
process.on('SIGINT', () => stop(0))
for (const event of /** @type {const} */ (['uncaughtException', 'unhandledRejection'])) {
  process.on(event, (error) => {
    process.stderr.write(`atrium: ${explain(error)}\n`)
    stop(1)
  })
}

/** @type {NodeJS.Timeout | undefined} */
let quiet
sources.onServerChange(() => {
  clearTimeout(quiet)
  quiet = setTimeout(restart, quietMilliseconds)
})

inOrder(async () => {
  try {
    const {url, setupUrl} = await start()
    process.stdout.write(
      url === undefined
        ? 'Atrium worker is ready\n'
        : `Atrium is ready: ${url}\n${setupUrl === undefined ? '' : `Make the first account: ${setupUrl}\n`}Watch its actors: ${new URL('/?inspect', url)} (sources of ${join(root, 'src')} are watched)\n`,
    )
  } catch (error) {
    if (!isStopping) {
      await sources.close()
      refuse(explain(error))
    }
  }
})
