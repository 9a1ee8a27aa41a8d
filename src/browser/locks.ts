import {z} from '#contract/schema.ts'

/** Runs `work` while no other tab of this browser runs work of the same name. */
export type TabLock = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** A holder that takes longer than this is taken for dead (security R15). */
const acquireLimit = 10_000
const leaseLife = 15_000
const pollInterval = 100
/** Long enough for another tab's write of the same moment to be seen. */
const settleTime = 50

/**
 * With the Web Locks API. After 10 s the lock is stolen: a frozen tab must not keep the others out. What the work
 * answers counts even when its lock was stolen meanwhile.
 */
const createWebLock =
  (locks: LockManager): TabLock =>
  async (name, work) => {
    let running: ReturnType<typeof work> | undefined
    const start = () => {
      running = work()
      return running
    }
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), acquireLimit)
    const held = locks.request(name, {signal: patience.signal}, () => {
      clearTimeout(timer)
      return start()
    })
    try {
      return await held
    } catch (reason) {
      if (running !== undefined) return await running
      if (!patience.signal.aborted) throw reason
      await locks.request(name, {steal: true}, start).catch((stolen: unknown) => {
        if (running === undefined) throw stolen
      })
      // the line above leaves only with work that was started
      return await running!
    } finally {
      clearTimeout(timer)
    }
  }

const lease = z.object({owner: z.string(), until: z.number()})

export type LeaseOptions = {
  storage: Storage | undefined
  /** Unix milliseconds: all tabs of a browser share this clock. */
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
  createId: () => string
}

/**
 * Without the Web Locks API (plain http): a lease in local storage. Two tabs that write in the same instant both read
 * back after a moment; the last writer holds. Not airtight, and need not be: the server gives a refresh that came
 * twice the same successor.
 */
const createLease = ({storage, now, sleep, createId}: LeaseOptions): TabLock => {
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action()
    } catch {
      return undefined // storage that is forbidden or full excludes nobody
    }
  }
  const read = (key: string) => attempt(() => lease.safeParse(JSON.parse(storage?.getItem(key) ?? 'null')).data)

  const acquire = async (key: string, owner: string) => {
    const patience = now() + acquireLimit
    for (;;) {
      const holder = read(key)
      const isFree = holder === undefined || holder.until <= now() || now() >= patience
      if (isFree) {
        const isWritten = attempt(() => {
          storage?.setItem(key, JSON.stringify({owner, until: now() + leaseLife}))
          return storage !== undefined
        })
        await sleep(settleTime)
        if (isWritten !== true || read(key)?.owner === owner) return
      }
      await sleep(pollInterval)
    }
  }

  return async (name, work) => {
    const key = `atrium.lease.${name}`
    const owner = createId()
    await acquire(key, owner)
    try {
      return await work()
    } finally {
      if (read(key)?.owner === owner) attempt(() => storage?.removeItem(key))
    }
  }
}

/** The lock this browser has: the token refresh runs under it, and reads storage again inside (security R15). */
export const createTabLock = (locks: LockManager | undefined, options: LeaseOptions): TabLock =>
  locks === undefined ? createLease(options) : createWebLock(locks)
