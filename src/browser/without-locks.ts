import {Observable} from 'rxjs'
import type {Leadership} from './leadership.ts'
import {createLease, type LeaseOptions} from './lease.ts'
import {acquireLimit, type TabLock} from './locks.ts'

/* In place of the Web Locks API, which browsers have on https alone. A page with locks does not load this. */

const lockLife = 15_000
const pollInterval = 100
/** Milliseconds until a simultaneous write of another tab is visible. */
const settleTime = 50

/**
 * Without the Web Locks API (plain http): a lease in local storage. Two tabs that write in the same instant both read
 * back after a moment; the last writer holds the lease. It is not airtight and need not be: the server gives a repeated
 * refresh the same successor.
 */
export const createLeaseLock = (options: LeaseOptions): TabLock => {
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
    const lease = createLease(options, `atrium.lease.${name}`, lockLife)
    await acquire(lease)
    try {
      return await work()
    } finally {
      lease.release()
    }
  }
}

/** A leader that did not renew its lease for this many milliseconds is gone. */
const leaderLife = 12_000
const renewal = 4_000

/**
 * Without locks (plain http): a lease in local storage, renewed by its holder. Two tabs may lead for some seconds;
 * without storage every tab leads itself.
 */
export const createLeaseLeadership =
  (options: LeaseOptions): Leadership =>
  (name, {isClaiming}) =>
    new Observable((subscriber) => {
      const lease = createLease(options, `atrium.leader.${name}`, leaderLife)
      let isLeaving = false
      const run = async () => {
        let isLeading: boolean | undefined
        for (let isFirst = true; !isLeaving; isFirst = false) {
          const isOurs = !lease.isTaken() || (isFirst && isClaiming)
          if (isOurs) lease.take()
          if (isOurs !== isLeading) subscriber.next({type: isOurs ? 'leader.won' : 'leader.lost'})
          isLeading = isOurs
          await options.sleep(renewal)
        }
      }
      run().catch((error: unknown) => subscriber.error(error))
      return () => {
        isLeaving = true
        lease.release()
      }
    })
