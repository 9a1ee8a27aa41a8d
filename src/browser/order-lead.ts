import {of, share, type Observable} from 'rxjs'
import type {LeadershipFact} from '#domain/leadership.ts'
import {createLockLeadership} from './leadership.ts'

/** Decides which of the tabs that have a paid order open leads back (docs/decisions/0099). */
export type OrderLead = {
  /** Subscribing competes for the lead, unsubscribing hands over to the tab that has waited longest, if any. */
  facts$: Observable<LeadershipFact>
  /** Never hands over as long as this tab is open. */
  keep: () => void
}

/** Without locks (plain http) every tab leads: a lease outlives its tab, which may be back from its payment before. */
export function createOrderLead(locks: LockManager | undefined, orderId: string): OrderLead {
  const standing$ =
    locks === undefined
      ? of<LeadershipFact>({type: 'leader.won'})
      : createLockLeadership(locks)(`atrium.order.${orderId}`, {isClaiming: false})
  const facts$ = standing$.pipe(share())
  return {facts$, keep: () => void facts$.subscribe()}
}
