import {fromCallback, type AnyActorRef, type EventObject, type SnapshotFrom} from 'xstate'
import {findActor} from './find-actor.ts'

/**
 * Reports a fact about another actor of the system to its owner, as soon as there is one, once. The other actor is read
 * when it has taken all that was sent to it: an owner that asks it for something and watches it sees what came of that.
 * @param factOf undefined while the other actor has not decided
 * @throws if no actor runs under the system id: reaches the owner as `onError`
 */
export const watchActor = <Ref extends AnyActorRef>(
  systemId: string,
  factOf: (snapshot: SnapshotFrom<Ref>) => EventObject | undefined,
) =>
  fromCallback<EventObject>(({sendBack, system}) => {
    const actor = findActor<Ref>(system, systemId)
    if (actor === undefined) throw new Error(`The actor "${systemId}" is not running`)
    let isOver = false
    const look = () => {
      // as: an actor's snapshot, of which the library knows the type by its ref
      const fact = isOver ? undefined : factOf(actor.getSnapshot() as SnapshotFrom<Ref>)
      if (fact === undefined) return
      isOver = true
      sendBack(fact)
    }
    const subscription = actor.subscribe(() => void Promise.resolve().then(look))
    void Promise.resolve().then(look)
    return () => {
      isOver = true
      subscription.unsubscribe()
    }
  })
