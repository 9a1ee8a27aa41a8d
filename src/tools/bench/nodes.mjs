import {readdirSync, readFileSync, mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {createServer} from 'vite'
import {cacheFolder, distFolder, root} from '../paths.mjs'
import {freePort, inDatabaseOf, runUntilReady} from './installation.mjs'
import {processorTime} from './processor-time.mjs'

/** A node takes 49 connections. */
const settings = {max_connections: '200', shared_preload_libraries: 'pg_stat_statements'}

/**
 * A PostgreSQL of its own that counts its statements, and nodes on it, all on this machine. What runs is ended by `close`.
 * @typedef {Awaited<ReturnType<typeof createNodes>>} Nodes
 * @typedef {Awaited<ReturnType<Nodes['start']>>} Node
 * @param {import('./installation.mjs').Bench} bench @param {Record<string, string>} [common] environment of all nodes
 */
export async function createNodes(bench, common = {}) {
  const folder = mkdtempSync(join(cacheFolder, 'bench-nodes-'))
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
    /** Statements since its start, those that begin and end transactions among them. */
    statements: () =>
      inDatabaseOf(host, async (client) => {
        const {rows} = await client.query('select sum(calls)::float as statements from pg_stat_statements')
        return Number(rows[0]?.statements)
      }),
    /** Bytes that PostgreSQL has written to its log, and those of the tables that an answer fills, indexes included. */
    written: () =>
      inDatabaseOf(host, async (client) => {
        const {rows} = await client.query(
          `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float as log,
             (select jsonb_object_agg(name, pg_total_relation_size(name::regclass)) from unnest($1::text[]) name) as tables`,
          [['conversations', 'messages', 'answers', 'answer_chunks', 'usages']],
        )
        /** @type {Map<string, number>} */
        const tables = new Map(Object.entries(rows[0]?.tables ?? {}))
        return {log: Number(rows[0]?.log), tables}
      }),
    /** Media tasks that wait or run, and those that succeeded. */
    tasks: () =>
      inDatabaseOf(host, async (client) => {
        const {rows} = await client.query(
          `select count(*) filter (where state in ('queued', 'running'))::int as open,
             count(*) filter (where state = 'succeeded')::int as succeeded from tasks`,
        )
        return {open: Number(rows[0]?.open), succeeded: Number(rows[0]?.succeeded)}
      }),
    /** Words of the answers that run, as far as they are stored. */
    storedWords: () =>
      inDatabaseOf(host, async (client) => {
        const {rows} = await client.query(`select sum(last_seq)::float as words from answers where state = 'answering'`)
        return Number(rows[0]?.words)
      }),
    /** The statements that took PostgreSQL longest since its start. */
    longest: (/** @type {number} */ count) =>
      inDatabaseOf(host, async (client) => {
        const {rows} = await client.query(
          `select left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as query, calls::float, total_exec_time as milliseconds
           from pg_stat_statements order by total_exec_time desc limit $1`,
          [count],
        )
        return rows.map(({query, calls, milliseconds}) => `${Math.round(milliseconds)} ms in ${calls} × ${query}`)
      }),
    /** Of each process of the database that runs now: the connections that a node lets go end theirs. */
    databaseTimes: () => {
      /** @type {Map<number, number>} */
      const times = new Map()
      for (const id of readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)) {
        try {
          const text = readFileSync(`/proc/${id}/stat`, 'utf8')
          const parent = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
          if (id === postgres.pid() || parent === postgres.pid()) times.set(id, processorTime(id) ?? 0)
        } catch {
          // it has ended since
        }
      }
      return times
    },
    close: async () => {
      await Promise.all([...running].map((node) => node.stop()))
      await postgres.stop()
      await vite.close()
      rmSync(folder, {recursive: true, force: true})
    },
  }
}
