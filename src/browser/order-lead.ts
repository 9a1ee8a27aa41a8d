import {of, ReplaySubject, shareReplay, switchMap, take, type Observable} from 'rxjs'
import type {LeadershipFact} from '#domain/leadership.ts'
import {createLockLeadership} from './leadership.ts'

/** Which tab a paid order leads back, of all tabs of a browser that have it open (docs/decisions/0099). */
export type OrderLead = {
  /** From the first `stand` on. Unsubscribing hands over to the tab that has stood longest, if any. */
  facts$: Observable<LeadershipFact>
  stand: () => void
  /** Never hands over as long as this tab is open. */
  keep: () => void
}

/** Without locks (plain http) every tab leads: a lease outlives its tab, which may be back from its payment before. */
export function createOrderLead(locks: LockManager | undefined, orderId: string): OrderLead {
  const stands$ = new ReplaySubject<void>(1)
  const facts$ = stands$.pipe(
    take(1),
    switchMap(() =>
      locks === undefined
        ? of<LeadershipFact>({type: 'leader.won'})
        : createLockLeadership(locks)(`atrium.order.${orderId}`, {isClaiming: false}),
    ),
    shareReplay({bufferSize: 1, refCount: true}),
  )
  return {facts$, stand: () => stands$.next(), keep: () => void facts$.subscribe()}
}
