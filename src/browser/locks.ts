import type {LeaseOptions} from './lease.ts'

/** Runs `work` while no other tab of this browser runs work with the same name. */
export type TabLock = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** A holder that takes longer than this counts as dead (security R15). */
export const acquireLimit = 10_000

/**
 * Milliseconds until other tabs see a storage write. The end of a lock does not wait for it, so the next holder could
 * otherwise read the old value.
 */
const echoTime = 250

/**
 * With the Web Locks API. After 10 s the lock is stolen: a frozen tab must not block the others. The result of `work`
 * counts at once, even if its lock was stolen; the lock is released when other tabs can see what the work stored.
 */
const createWebLock =
  (locks: LockManager, sleep: LeaseOptions['sleep']): TabLock =>
  (name, work) =>
    new Promise((resolve, reject) => {
      let isStarted = false
      const patience = new AbortController()
      const timer = setTimeout(() => patience.abort(), acquireLimit)
      const start = () => {
        isStarted = true
        clearTimeout(timer)
        const outcome = work()
        outcome.then(resolve, reject)
        return outcome.then(
          () => sleep(echoTime),
          () => undefined,
        )
      }
      const leave = (reason: Error) => {
        clearTimeout(timer)
        if (!isStarted) reject(reason)
      }
      locks.request(name, {signal: patience.signal}, start).catch((reason: Error) => {
        if (isStarted || !patience.signal.aborted) return leave(reason)
        return locks.request(name, {steal: true}, start).catch(leave)
      })
    })

/**
 * The lock that this browser supports. The token refresh runs under it and reads storage again inside (security R15).
 * Where there are no locks, `openLease` loads what stands in for them; without that tabs do not exclude each other, and
 * need not: the server gives a repeated refresh the same successor.
 */
export const createTabLock = (
  locks: LockManager | undefined,
  sleep: LeaseOptions['sleep'],
  openLease: () => Promise<TabLock>,
): TabLock => {
  if (locks !== undefined) return createWebLock(locks, sleep)
  return async (name, work) => {
    const lock = await openLease().catch(() => undefined)
    return lock === undefined ? work() : lock(name, work)
  }
}
