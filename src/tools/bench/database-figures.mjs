import {readdirSync, readFileSync} from 'node:fs'
import {inDatabaseOf} from './installation.mjs'
import {processorTime} from './processor-time.mjs'

/**
 * Reads the work and the size of a PostgreSQL, for parts that measure before and after their work. It must count its
 * statements (`pg_stat_statements`). `host` is the folder of its socket, `processId` its first process.
 * @param {string} host @param {() => number | undefined} processId
 */
export function createDatabaseFigures(host, processId) {
  /** @param {string} sql @param {unknown[]} [values] */
  const rowsOf = (sql, values) => inDatabaseOf(host, async (client) => (await client.query(sql, values)).rows)

  return {
    /** Statements since its start, those that begin and end transactions among them. */
    statements: async () => {
      const [row] = await rowsOf('select sum(calls)::float as statements from pg_stat_statements')
      return Number(row?.statements)
    },
    /** Bytes that PostgreSQL has written to its log, and those of the tables that an answer fills, indexes included. */
    written: async () => {
      const [row] = await rowsOf(
        `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float as log,
           (select jsonb_object_agg(name, pg_total_relation_size(name::regclass)) from unnest($1::text[]) name) as tables`,
        [['conversations', 'messages', 'answers', 'answer_chunks', 'usages']],
      )
      /** @type {Map<string, number>} */
      const tables = new Map(Object.entries(row?.tables ?? {}))
      return {log: Number(row?.log), tables}
    },
    /** Media tasks that wait or run, and those that succeeded. */
    tasks: async () => {
      const [row] = await rowsOf(
        `select count(*) filter (where state in ('queued', 'running'))::int as open,
           count(*) filter (where state = 'succeeded')::int as succeeded from tasks`,
      )
      return {open: Number(row?.open), succeeded: Number(row?.succeeded)}
    },
    /** Words of running answers, as far as they are stored. */
    storedWords: async () => {
      const [row] = await rowsOf(`select sum(last_seq)::float as words from answers where state = 'answering'`)
      return Number(row?.words)
    },
    /** The statements that took PostgreSQL longest since its start. */
    longest: async (/** @type {number} */ count) => {
      const rows = await rowsOf(
        `select left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as query, calls::float, total_exec_time as milliseconds
         from pg_stat_statements order by total_exec_time desc limit $1`,
        [count],
      )
      return rows.map(({query, calls, milliseconds}) => `${Math.round(milliseconds)} ms in ${calls} × ${query}`)
    },
    /**
     * Processor time of each running process of the database, by its id. A closed connection takes its process along,
     * so sum what grew, not all.
     */
    databaseTimes: () => {
      /** @type {Map<number, number>} */
      const times = new Map()
      for (const id of processIds()) {
        const {parent, milliseconds} = lookAt(id) ?? {}
        if (milliseconds !== undefined && (id === processId() || parent === processId())) times.set(id, milliseconds)
      }
      return times
    },
  }
}

const processIds = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** The parent of a process and its processor time; nothing where it has ended meanwhile. @param {number} id */
function lookAt(id) {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    const parent = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
    return {parent, milliseconds: processorTime(id) ?? 0}
  } catch {
    return undefined
  }
}
