import {createLease, type LeaseOptions} from './lease.ts'

/** Runs `work` while no other tab of this browser runs work with the same name. */
export type TabLock = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** A holder that takes longer than this counts as dead (security R15). */
const acquireLimit = 10_000
const leaseLife = 15_000
const pollInterval = 100
/** Milliseconds until a simultaneous write of another tab is visible. */
const settleTime = 50

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
 * Without the Web Locks API (plain http): a lease in local storage. Two tabs that write in the same instant both read
 * back after a moment; the last writer holds the lease. It is not airtight and need not be: the server gives a repeated
 * refresh the same successor.
 */
const createLeaseLock = (options: LeaseOptions): TabLock => {
  const {now, sleep} = options
  const acquire = async (lease: ReturnType<typeof createLease>) => {
    const patience = now() + acquireLimit
    for (;;) {
      if (!lease.isTaken() || now() >= patience) {
        const isWritten = lease.take()
        await sleep(settleTime)
        // without storage tabs do not exclude each other
        if (!isWritten || lease.isOurs()) return
      }
      await sleep(pollInterval)
    }
  }

  return async (name, work) => {
    const lease = createLease(options, `atrium.lease.${name}`, leaseLife)
    await acquire(lease)
    try {
      return await work()
    } finally {
      lease.release()
    }
  }
}

/**
 * The lock that this browser supports. The token refresh runs under it and reads storage again inside (security R15).
 */
export const createTabLock = (locks: LockManager | undefined, options: LeaseOptions): TabLock =>
  locks === undefined ? createLeaseLock(options) : createWebLock(locks, options.sleep)
