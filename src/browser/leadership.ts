import {defer, mergeMap, Observable} from 'rxjs'
import type {LeadershipFact} from '#domain/leadership.ts'

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

/** The way of this browser. Where there are no locks, `openLease` loads what stands in for them. */
export const createLeadership = (locks: LockManager | undefined, openLease: () => Promise<Leadership>): Leadership =>
  locks === undefined
    ? (...candidacy) => defer(openLease).pipe(mergeMap((leadership) => leadership(...candidacy)))
    : createLockLeadership(locks)
