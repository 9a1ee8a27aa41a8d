import {NEVER} from 'rxjs'
import {createActor, fromEventObservable} from 'xstate'
import {environmentMachine} from '#machines/environment/environment.machine.ts'
import type {EnvironmentEvent, EnvironmentInput} from '#machines/environment/environment.types.ts'

/** Hears nothing of the browser. */
export const environmentLogic = environmentMachine.provide({
  actors: {pageEvents: fromEventObservable<EnvironmentEvent, undefined>(() => NEVER)},
  actions: {
    logDeafness: (_, {error}) => {
      throw error
    },
  },
})

/** A running environment for machines that need one; the test sends it what the browser would report. */
export const startEnvironment = (input: Partial<EnvironmentInput> = {}) =>
  createActor(environmentLogic, {input: {isOnline: true, isVisible: true, ...input}}).start()
