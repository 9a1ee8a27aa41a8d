import {linkSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {StartFailure} from '../start-failure.ts'
import {processStartTime} from './process-table.ts'

type Holder = {pid: number; startTime: string}

/**
 * Takes the data folder for this process (security R61): a file with our pid and start time. A second server on the same
 * folder gets a `StartFailure` with a sentence; the lock of a process that is gone, or whose pid was given again, is
 * replaced. Returns the way to give it back.
 */
export function lockFolder(folder: string, what = 'server'): () => void {
  const file = join(folder, 'atrium.lock')
  const own: Holder = {pid: process.pid, startTime: processStartTime(process.pid) ?? ''}
  const text = JSON.stringify(own)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      writeFileSync(file, text, {flag: 'wx', mode: 0o600})
      return () => {
        if (read(file) === text) rmSync(file, {force: true})
      }
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    const found = read(file)
    if (found === undefined) continue
    const holder = parse(found)
    if (holder !== undefined && processStartTime(holder.pid) === holder.startTime) {
      throw new StartFailure(
        `The data folder ${folder} is in use by process ${holder.pid}. Stop that ${what}, or set DATA_DIR to another folder.`,
      )
    }
    moveStaleAway(file, found)
  }
  throw new StartFailure(`The data folder ${folder} is being taken by another process. Try again.`)
}

/** Moves the stale lock away, and puts it back when another starter replaced it between our look and our move. */
function moveStaleAway(file: string, stale: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  if (read(aside) !== stale) {
    try {
      linkSync(aside, file)
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
  }
  rmSync(aside, {force: true})
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** A half-written or foreign file holds nobody. */
function parse(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startTime' in value)) return undefined
    return typeof value.pid === 'number' && typeof value.startTime === 'string'
      ? {pid: value.pid, startTime: value.startTime}
      : undefined
  } catch {
    return undefined
  }
}

export const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
