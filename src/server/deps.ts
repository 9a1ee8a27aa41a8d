import type {Config} from './config.ts'
import type {FileStores} from './files/file-stores.ts'
import type {Log} from './log.ts'
import type {Secrets} from './secrets.ts'
import type {Database} from './store/database.ts'

/**
 * Parts that every service of the server is built from. `handler.ts` makes one request handler of it; tests build it
 * with an own database, clock and log, without a port.
 */
export type ServerDeps = {
  config: Config
  database: Database
  fileStores: FileStores
  /** The only clock of the server (security R76): the database's, the same for all nodes (docs/decisions/0077). */
  now: () => Date
  log: Log
  secrets: Secrets
  /** Whether the disk has hardly any room left: then requests only read (security R65). Absent: it has. */
  isDiskLow?: () => Promise<boolean>
}
