import {isCode} from '../error-code.ts'
import {linkSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {StartFailure} from '../start-failure.ts'
import {processStartTime} from './process-table.ts'

type Process = {pid: number; startTime: string}
/**
 * `supervisor`: the process that keeps this one running and ends with it; `isLeaving`: set once the process got the
 * signal to stop.
 */
type Holder = Process & {supervisor?: Process; isLeaving?: true}

export type FolderLock = {
  /** Announces that the folder will be free in a moment: a process that starts now waits. */
  leave: () => void
  unlock: () => void
}

export type LockOptions = {
  supervisorPid?: number | undefined
  /** Says that a start waits, in a sentence. */
  tell?: ((sentence: string) => void) | undefined
  /** Ends the wait with its reason. */
  signal?: AbortSignal | undefined
  /** Between two looks at who holds the folder. */
  pause?: () => Promise<void>
}

const lookMilliseconds = 100
/** Fifteen seconds: a server ends at most ten seconds after the signal to stop (`main.ts`). */
const mostLooks = 150

/**
 * Locks the data folder for this process (security R61): a file with our pid and start time. A second server on the
 * same folder gets a `StartFailure` with a sentence; the lock of a dead process, or of a reused pid, is replaced.
 * Returns the release of the lock.
 */
export function lockFolder(folder: string): () => void {
  const outcome = takeFolder(folder)
  if ('pid' in outcome) throw inUse(folder, outcome)
  return outcome.unlock
}

/**
 * As `lockFolder`, but waits for a holder that is about to end: it got the signal to stop, or its supervisor was
 * killed. `npm start` right after a kill meets such a holder.
 */
export async function lockFolderSoon(
  folder: string,
  {supervisorPid, tell, signal, pause = () => delay(lookMilliseconds)}: LockOptions = {},
): Promise<FolderLock> {
  for (let looks = 0; ; looks += 1) {
    const outcome = takeFolder(folder, supervisorPid)
    if (!('pid' in outcome)) return outcome
    if (looks === mostLooks || !isEnding(outcome)) throw inUse(folder, outcome)
    if (looks === 0) tell?.(`The server that ran before (process ${outcome.pid}) is still stopping; waiting for it.`)
    await pause()
    signal?.throwIfAborted()
  }
}

const inUse = (folder: string, {pid}: Holder) =>
  new StartFailure(
    `The data folder ${folder} is in use by process ${pid}. Stop that server, or set DATA_DIR to another folder.`,
  )

const isAlive = ({pid, startTime}: Process) => processStartTime(pid) === startTime
const isEnding = ({isLeaving, supervisor}: Holder) =>
  isLeaving === true || (supervisor !== undefined && !isAlive(supervisor))

/** The lock, or the process that holds it. */
function takeFolder(folder: string, supervisorPid?: number): FolderLock | Holder {
  const file = join(folder, 'atrium.lock')
  const supervisor = supervisorPid === undefined ? undefined : processOf(supervisorPid)
  const own: Holder = {...processOf(process.pid), ...(supervisor && {supervisor})}
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      writeFileSync(file, JSON.stringify(own), {flag: 'wx', mode: 0o600})
      return holding(file, own)
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    const lockText = read(file)
    if (lockText === undefined) continue
    const holder = parse(lockText)
    if (holder !== undefined && isAlive(holder)) return holder
    moveStaleAway(file, lockText)
  }
  throw new StartFailure(`The data folder ${folder} is being taken by another process. Try again.`)
}

const processOf = (pid: number): Process => ({pid, startTime: processStartTime(pid) ?? ''})

function holding(file: string, own: Holder): FolderLock {
  let text = JSON.stringify(own)
  return {
    leave: () => {
      if (read(file) !== text) return
      const leaving = JSON.stringify({...own, isLeaving: true} satisfies Holder)
      const aside = `${file}.leaving`
      try {
        writeFileSync(aside, leaving, {mode: 0o600})
        renameSync(aside, file)
        text = leaving
      } catch {
        // a full disk must not keep anybody from stopping: then the next start is refused instead of waiting
      }
    },
    unlock: () => {
      if (read(file) === text) rmSync(file, {force: true})
    },
  }
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
    if (!isProcess(value)) return undefined
    const supervisor = 'supervisor' in value && isProcess(value.supervisor) ? value.supervisor : undefined
    const isLeaving = 'isLeaving' in value && value.isLeaving === true
    return {
      pid: value.pid,
      startTime: value.startTime,
      ...(supervisor && {supervisor}),
      ...(isLeaving && {isLeaving: true}),
    }
  } catch {
    return undefined
  }
}

const isProcess = (value: unknown): value is Process =>
  typeof value === 'object' &&
  value !== null &&
  'pid' in value &&
  'startTime' in value &&
  typeof value.pid === 'number' &&
  typeof value.startTime === 'string'
