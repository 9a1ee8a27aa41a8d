import type {ActorRefFrom, AnyActorRef, AnyStateMachine} from 'xstate'
import {findActor} from '#machines/lib/find-actor.ts'
import type {SessionActor} from '#machines/session/session.machine.ts'
import {setPartChoice, type PartChoice} from './part-choices.ts'

/** The session's part; started, unless it runs. Undefined where the session has ended, or the part breaks at once. */
export function openPart<Machine extends AnyStateMachine>(
  system: AnyActorRef['system'],
  id: string,
  choose: PartChoice<Machine>,
): ActorRefFrom<Machine> | undefined {
  const running = findActor<ActorRefFrom<Machine>>(system, id)
  if (running !== undefined) return running
  setPartChoice(system, id, choose)
  findActor<SessionActor>(system, 'session')?.send({type: 'part.use', id})
  return findActor<ActorRefFrom<Machine>>(system, id)
}
