import {defer, NEVER, Observable} from 'rxjs'
import {fromEventObservable, type AnyActorRef} from 'xstate'
import type {LeadershipFact} from '#domain/leadership.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {followUpClaimMachine, type FollowUpClaimActor} from '#machines/follow-up-claim/follow-up-claim.machine.ts'
import type {Claim} from '#machines/follow-ups/follow-ups.types.ts'
import {openPart} from './open-part.ts'
import type {RootDeps} from './root-deps.ts'
import type {ServerClock} from './server-clock.ts'

type Deps = Pick<RootDeps, 'leadership'> & {clock: Pick<ServerClock, 'now'>}
type System = AnyActorRef['system']

const claimId = (key: string) => `followUpClaim/${key}`

/** The claim of this tab on a question, a part of the session. Throws where that has ended. */
function openClaim({leadership}: Pick<Deps, 'leadership'>, system: System, key: string): FollowUpClaimActor {
  const claimActor = openPart(system, claimId(key), () => ({
    machine: followUpClaimMachine.provide({
      actors: {
        standInQueue: fromEventObservable<LeadershipFact, {key: string}>(({input}) =>
          leadership(`atrium.follow-up.${input.key}`, {isClaiming: false}),
        ),
      },
    }),
    input: {key},
  }))
  if (claimActor === undefined) throw new Error('The claim on a question does not run')
  return claimActor
}

/** Claims a question that waits: of the tabs of a browser the first to claim its key sends it. */
export const claim = (deps: Deps, system: System, key: string) =>
  new Promise<Claim>((resolve, reject) => {
    const claimActor = openClaim(deps, system, key)
    claimActor.on('claim.decided', ({isOurs}) => resolve({key, isOurs, at: Math.floor(deps.clock.now())}))
    claimActor.on('claim.failed', ({error}) =>
      reject(new Error('The browser does not say which tab is first', {cause: error})),
    )
    // after a decision nothing is rejected any more
    claimActor.subscribe({complete: () => reject(new Error('The session ended')), error: reject})
    claimActor.send({type: 'claim.request'})
  })

/** No other tab sends it while this is subscribed. */
export const hold$ = (deps: Pick<Deps, 'leadership'>, system: System, key: string) =>
  new Observable<never>((subscriber) => {
    const claimActor = openClaim(deps, system, key)
    claimActor.on('claim.failed', ({error}) => subscriber.error(error))
    claimActor.send({type: 'edit.begin'})
    return () => {
      if (claimActor.getSnapshot().status === 'active') claimActor.send({type: 'edit.end'})
    }
  })

/**
 * Whether another tab has the turn before a question that waits, and this one the next. Without locks nothing is said:
 * a lease of a tab that sleeps counts as one of a tab that is gone.
 *
 * Behind a turn it is sent by no tab: one that the server gave back, since another tab's question came first, is
 * claimed no longer, so that the other tab may send it.
 */
export const turn$ = ({lockLeadership}: Pick<RootDeps, 'lockLeadership'>, system: System, key: string) =>
  defer(() => {
    findActor<FollowUpClaimActor>(system, claimId(key))?.send({type: 'claim.giveUp'})
    return lockLeadership?.(`atrium.turn.${key}`, {isClaiming: false}) ?? NEVER
  })
