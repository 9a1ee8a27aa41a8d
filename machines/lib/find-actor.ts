import type {AnyActorRef} from 'xstate'

/** The actor that runs under a system id, if any. */
export const findActor = <Ref extends AnyActorRef>(
  system: {get: (systemId: string) => AnyActorRef | undefined},
  systemId: string,
) =>
  // as: a system knows its actors by text only; ids and machines are paired in docs/architecture.md §2
  system.get(systemId) as Ref | undefined
