import {Observable} from 'rxjs'
import type {LeadershipFact} from '#domain/leadership.ts'
import {createLease, type LeaseOptions} from './lease.ts'

/**
 * Competes for the leadership of a name. Cold: subscribing joins the queue, unsubscribing leaves it or hands over.
 * `isClaiming`: takes over from the current leader, because that tab sleeps or is silent.
 */
export type Leadership = (name: string, options: {isClaiming: boolean}) => Observable<LeadershipFact>

const isAbort = (reason: unknown) => reason instanceof DOMException && reason.name === 'AbortError'

/** With the Web Locks API: the browser keeps the queue, and a closed tab leaves it by itself. */
export const createLockLeadership =
  (locks: LockManager): Leadership =>
  (name, {isClaiming}) =>
    new Observable((subscriber) => {
      const leaving = new AbortController()
      let letGo: (() => void) | undefined
      const hold = () =>
        new Promise<void>((resolve) => {
          letGo = resolve
          if (leaving.signal.aborted) resolve()
          else subscriber.next({type: 'leader.won'})
        })
      // stealing a lock, or taking it only if it is free, does not accept a signal
      const claim = () => locks.request(name, {steal: true}, hold)
      const queue = () => locks.request(name, {signal: leaving.signal}, hold)
      const takeOrQueue = () =>
        locks.request(name, {ifAvailable: true}, (lock) => {
          if (lock !== null) return hold()
          subscriber.next({type: 'leader.lost'})
          return queue()
        })
      const stand = async (take: () => Promise<void>): Promise<void> => {
        try {
          await take()
        } catch (reason) {
          if (leaving.signal.aborted) return
          if (!isAbort(reason)) throw reason
          subscriber.next({type: 'leader.lost'})
          await stand(queue)
        }
      }
      stand(isClaiming ? claim : takeOrQueue).catch((error: unknown) => subscriber.error(error))
      return () => {
        leaving.abort()
        letGo?.()
      }
    })

/** A leader that did not renew its lease for this many milliseconds is gone. */
const leaseLife = 12_000
const renewal = 4_000

/**
 * Without locks (plain http): a lease in local storage, renewed by its holder. Two tabs may lead for some seconds;
 * without storage every tab leads itself.
 */
const createLeaseLeadership =
  (options: LeaseOptions): Leadership =>
  (name, {isClaiming}) =>
    new Observable((subscriber) => {
      const lease = createLease(options, `atrium.leader.${name}`, leaseLife)
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

/** The way of this browser. */
export const createLeadership = (locks: LockManager | undefined, options: LeaseOptions): Leadership =>
  locks === undefined ? createLeaseLeadership(options) : createLockLeadership(locks)
