import {Observable, Subscription} from 'rxjs'
import type {Claim} from '#machines/follow-ups/follow-ups.types.ts'
import type {RootDeps} from './root-deps.ts'

type Deps = Pick<RootDeps, 'leadership' | 'timers'>

/** Milliseconds within which other tabs have certainly received that a question was sent. */
const claimLife = 60_000
/** Milliseconds within which this tab may claim a follow-up that it edited before another tab does. */
const holdRest = 1_000

/** Keys that this tab has claimed. */
const claimedKeys = new Set<string>()

/** A question that is edited in this tab. `isOurs`: no other tab has claimed it. */
type Hold = {isOurs: boolean; editors: number; standing: Subscription}
const holds = new Map<string, Hold>()

const stand = ({leadership}: Deps, key: string) => leadership(`atrium.follow-up.${key}`, {isClaiming: false})

/** Of the tabs of a browser one sends a question that waits: the one that is first to claim its key. */
export const claim = (deps: Deps, key: string) =>
  new Promise<Claim>((resolve, reject) => {
    const own = holds.get(key)
    if (own?.isOurs === true) {
      holds.delete(key)
      claimedKeys.add(key)
      deps.timers.setTimeout(() => own.standing.unsubscribe(), claimLife)
    }
    if (claimedKeys.has(key)) return resolve({key, isOurs: true})
    const standing = stand(deps, key).subscribe({
      next: ({type}) => {
        const isOurs = type === 'leader.won'
        if (isOurs) claimedKeys.add(key)
        resolve({key, isOurs})
        deps.timers.setTimeout(() => standing.unsubscribe(), isOurs ? claimLife : 0)
      },
      error: reject,
    })
  })

/** No other tab sends it while this is subscribed. */
export const hold$ = (deps: Deps, key: string) =>
  new Observable<never>((subscriber) => {
    const own = holds.get(key) ?? startHold(deps, key, (error) => subscriber.error(error))
    own.editors += 1
    return () => {
      own.editors -= 1
      deps.timers.setTimeout(() => {
        if (own.editors > 0 || holds.get(key) !== own) return
        holds.delete(key)
        own.standing.unsubscribe()
      }, holdRest)
    }
  })

function startHold(deps: Deps, key: string, onError: (error: unknown) => void): Hold {
  const own: Hold = {isOurs: false, editors: 0, standing: new Subscription()}
  holds.set(key, own)
  own.standing.add(stand(deps, key).subscribe({next: ({type}) => (own.isOurs = type === 'leader.won'), error: onError}))
  return own
}
