import {onTestFinished} from 'vitest'
import {type AnyActorRef} from 'xstate'

/** Ends actors with their test, timers included: the next test file runs in the same worker. */
export function stopAfterTest(...actors: AnyActorRef[]): void {
  onTestFinished(() => {
    for (const actor of actors) if ('stop' in actor) actor.stop()
  })
}
