import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {createServer} from 'vite'
import {cacheFolder, distFolder, root} from '../paths.mjs'
import {createDatabaseFigures} from './database-figures.mjs'
import {freePort, inDatabaseOf, runUntilReady} from './installation.mjs'

/** A node takes 49 connections. */
const settings = {max_connections: '200', shared_preload_libraries: 'pg_stat_statements'}

/**
 * A PostgreSQL of its own that counts its statements, and nodes on it, all on this machine. `close` ends what runs.
 * @typedef {Awaited<ReturnType<typeof createNodes>>} Nodes
 * @typedef {Awaited<ReturnType<Nodes['start']>>} Node
 * @param {import('./installation.mjs').Bench} bench @param {Record<string, string>} [common] environment of all nodes
 */
export async function createNodes(bench, common = {}) {
  const folder = mkdtempSync(join(cacheFolder, 'bench-nodes-'))
  const {postgres, closeSources} = await startPostgres(folder)
  const host = String(postgres.administrator.host)
  /** @type {Set<{stop: () => Promise<void>}>} */
  const running = new Set()
  const environment = {
    ...bench.environment,
    DATABASE_URL: `postgresql://atrium@${encodeURIComponent(host)}/atrium`,
    SECRET: 'bench'.repeat(10),
    ...common,
  }
  await inDatabaseOf(host, (client) => client.query('create extension pg_stat_statements'))

  return {
    /** @param {Record<string, string>} [other] environment */
    start: async (other = {}) => {
      const port = await freePort()
      const node = await runUntilReady([join(distFolder, 'server/main.js')], {
        ...environment,
        PORT: String(port),
        DATA_DIR: join(folder, 'data'),
        ...other,
      })
      running.add(node)
      const url = `http://localhost:${port}`
      return {
        ...node,
        port,
        url,
        chatUrl: `${url}/services/api/aichat/conversations`,
        processId: node.child.pid ?? 0,
        end: async (/** @type {'kill' | 'stop'} */ way) => {
          running.delete(node)
          await node[way]()
        },
      }
    },
    ...createDatabaseFigures(host, postgres.pid),
    close: async () => {
      await Promise.all([...running].map((node) => node.stop()))
      await postgres.stop()
      await closeSources()
      rmSync(folder, {recursive: true, force: true})
    },
  }
}

/** Started by the server's own code, from its source. @param {string} folder */
async function startPostgres(folder) {
  const vite = await createServer({
    root,
    // a watch of all files is work beside what is measured
    server: {middlewareMode: true, hmr: false, ws: false, watch: null},
    appType: 'custom',
    logLevel: 'error',
  })
  const {startEmbeddedPostgres} = await vite.ssrLoadModule('/src/server/store/embedded-postgres.ts')
  const {createLog} = await vite.ssrLoadModule('/src/server/log.ts')
  /** @type {import('../../server/store/embedded-postgres.ts').EmbeddedPostgres} */
  const postgres = await startEmbeddedPostgres(folder, createLog(), settings)
  return {postgres, closeSources: () => vite.close()}
}
