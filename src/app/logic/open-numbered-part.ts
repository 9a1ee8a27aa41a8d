import type {ActorRefFrom, AnyActorRef, AnyStateMachine} from 'xstate'
import {findActor} from '#machines/lib/find-actor.ts'
import {openPart} from './open-part.ts'
import type {PartChoice} from './part-choices.ts'

type System = AnyActorRef['system']

/** The first name that no other part of this kind has. */
function freeId(system: System, kind: string, number = 1): string {
  const id = `${kind}/${number}`
  return findActor(system, id) === undefined ? id : freeId(system, kind, number + 1)
}

/**
 * A part of the session of which each view or draft has its own (docs/decisions/0114). It runs until its chart is over.
 * @throws where there is no session, or the part breaks at once
 */
export function openNumberedPart<Machine extends AnyStateMachine>(
  system: System,
  kind: string,
  choose: PartChoice<Machine>,
): ActorRefFrom<Machine> {
  const part = openPart(system, freeId(system, kind), choose)
  if (part === undefined) throw new Error(`No session has the part "${kind}"`)
  return part
}
