import type {ActorRef, EventObject, Snapshot} from 'xstate'

/** The owner of an actor, which gives it its own ref by `input` and takes these facts. */
export type ParentRef<TFact extends EventObject> = ActorRef<Snapshot<unknown>, TFact>
