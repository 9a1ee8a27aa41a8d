import {createLog} from '#server/log.ts'
import {makeDataFolder} from '#server/store/data-folder.ts'
import {startEmbeddedPostgres} from '#server/store/embedded-postgres.ts'
import {lockFolder} from '#server/store/folder-lock.ts'

/*
 * A process of its own that holds a data folder as a server does, for tests that kill it or start a second one.
 * node --import tsx hold-cluster.ts <folder>
 */
const folder = process.argv[2] ?? ''
makeDataFolder(folder)
try {
  const unlock = lockFolder(folder)
  const cluster = await startEmbeddedPostgres(folder, createLog(), {fsync: 'off'})
  process.on('SIGTERM', () => {
    void cluster.stop().then(() => {
      unlock()
      process.exit(0)
    })
  })
  process.stdout.write(`ready ${cluster.pid()}\n`)
  setInterval(() => undefined, 60_000)
} catch (error) {
  process.stdout.write(`refused ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(78)
}
