import {takeUntil, takeWhile, timer} from 'rxjs'
import type {Claim} from '#machines/follow-ups/follow-ups.types.ts'
import type {RootDeps} from './root-deps.ts'

/** Milliseconds in which the other tabs certainly hear that a question was sent. */
const claimLife = 60_000

/** Of the tabs of a browser one sends a question that waits: the one that is first to claim its key. */
export function createClaims({leadership}: Pick<RootDeps, 'leadership'>) {
  const claimed = new Set<string>()
  return (key: string) =>
    new Promise<Claim>((resolve, reject) => {
      if (claimed.has(key)) return resolve({key, isOurs: true})
      leadership(`atrium.follow-up.${key}`, {isClaiming: false})
        .pipe(
          takeUntil(timer(claimLife)),
          takeWhile(({type}) => type === 'leader.won', true),
        )
        .subscribe({
          next: ({type}) => {
            const isOurs = type === 'leader.won'
            if (isOurs) claimed.add(key)
            resolve({key, isOurs})
          },
          error: reject,
        })
    })
}
