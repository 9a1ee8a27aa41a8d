import type {ActorSystem, ActorSystemInfo, AnyActorRef} from 'xstate'

/** The actor that runs under a system id, if any. */
export const findActor = <Ref extends AnyActorRef>(system: ActorSystem<ActorSystemInfo>, systemId: string) =>
  // as: a system knows its actors by text only; ids and machines are paired in docs/architecture.md §2
  system.get(systemId) as Ref | undefined
