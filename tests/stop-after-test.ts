import {onTestFinished} from 'vitest'
import type {AnyActorRef} from 'xstate'

/** Stops an actor, or a subscription, with its test, timers included: the next test file runs in the same worker. */
export function stopAfterTest<Running extends AnyActorRef | {stop(): void}>(running: Running): Running {
  onTestFinished(() => {
    if ('stop' in running) running.stop()
  })
  return running
}
