import type {Claim} from '#machines/follow-ups/follow-ups.types.ts'
import type {RootDeps} from './root-deps.ts'

/** Milliseconds in which the other tabs certainly hear that a question was sent. */
const claimLife = 60_000

/** Keys that this tab has claimed. */
const claimed = new Set<string>()

/** Of the tabs of a browser one sends a question that waits: the one that is first to claim its key. */
export const claim = ({leadership, timers}: Pick<RootDeps, 'leadership' | 'timers'>, key: string) =>
  new Promise<Claim>((resolve, reject) => {
    if (claimed.has(key)) return resolve({key, isOurs: true})
    const standing = leadership(`atrium.follow-up.${key}`, {isClaiming: false}).subscribe({
      next: ({type}) => {
        const isOurs = type === 'leader.won'
        if (isOurs) claimed.add(key)
        resolve({key, isOurs})
        timers.setTimeout(() => standing.unsubscribe(), isOurs ? claimLife : 0)
      },
      error: reject,
    })
  })
