import {readFileSync, realpathSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import type pg from 'pg'
import type {Log} from '../log.ts'
import {StartFailure} from '../start-failure.ts'
import {postgresProcessesIn} from './process-table.ts'

export const socketName = '.s.PGSQL.5432'
const stopDeadline = 8_000

/** How to reach the running cluster of a data folder from another process (backup); `undefined` when none runs. */
export function findRunningPostgres(dataDir: string): pg.PoolConfig | undefined {
  const cluster = join(realpathSync(dataDir), 'postgres')
  const state = readPostmasterFile(cluster)
  if (state === undefined || !postgresProcessesIn(cluster, state.pid).includes(state.pid)) return undefined
  const host = state.socketFolder === '.' || state.socketFolder === '' ? cluster : state.socketFolder
  return {host, user: 'postgres', database: 'postgres'}
}

/**
 * PostgreSQL keeps running when its server is killed. Shuts it down and deletes its left-over files, also the lock of
 * the socket, which blocks the next start even if no process holds it. Returns the private folder of the socket, if it
 * had one.
 */
export async function takeOver(cluster: string, log: Log): Promise<string | undefined> {
  const state = readPostmasterFile(cluster)
  const running = postgresProcessesIn(cluster, state?.pid)
  if (running.length > 0) {
    log.warn('taking over the database of a killed server', {processes: running.length})
    const postmaster = running.filter((pid) => pid === state?.pid)
    await shutDown(cluster, postmaster.length > 0 ? postmaster : running)
  }
  for (const name of ['postmaster.pid', socketName, `${socketName}.lock`]) rmSync(join(cluster, name), {force: true})
  return state?.socketFolder.startsWith(join(tmpdir(), 'atrium-')) ? state.socketFolder : undefined
}

/** Fast shutdown, then immediate, then kill; each only to processes that still work in the cluster's folder. */
export async function shutDown(cluster: string, pids: readonly number[]): Promise<void> {
  const postmaster = pids[0]
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const alive = postgresProcessesIn(cluster, postmaster)
    for (const pid of signal === 'SIGINT' ? pids : alive) send(pid, signal)
    const deadline = performance.now() + stopDeadline
    while (performance.now() < deadline) {
      if (postgresProcessesIn(cluster, postmaster).length === 0) return
      await delay(10)
    }
  }
  throw new StartFailure(`The PostgreSQL processes in ${cluster} do not end. End them, then start again.`)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** postmaster.pid: pid, data folder, start time, port, socket folder, address, shared memory, status. */
export function readPostmasterFile(cluster: string): {pid: number; socketFolder: string; status: string} | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
      .split('\n')
      .map((line) => line.trim())
    return {pid: Number(lines[0]), socketFolder: lines[4] ?? '', status: lines[7] ?? ''}
  } catch {
    return undefined // not there (yet)
  }
}
