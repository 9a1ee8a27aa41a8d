import {throwError} from 'rxjs'
import {fromEventObservable, fromPromise, type AnyActorLogic, type EventObject, type NonReducibleUnknown} from 'xstate'

const unfilled = (name: string, kind: 'actors' | 'actions' = 'actors') =>
  new Error(`Port "${name}" has no adapter: machine.provide({${kind}: {${name}: …}})`)

/** A port that answers once. Unfilled it rejects with a sentence that names it. */
export const promisePort = <TOutput, TInput extends NonReducibleUnknown = undefined>(name: string) =>
  fromPromise<TOutput, TInput>(() => Promise.reject(unfilled(name)))

/** A port that reports many facts: subscribing opens it, leaving the state unsubscribes. Unfilled it fails loudly. */
export const streamPort = <TEvent extends EventObject, TInput extends NonReducibleUnknown = undefined>(name: string) =>
  fromEventObservable<TEvent, TInput>(() => throwError(() => unfilled(name)))

/** A child whose chart is loaded when needed: filled like a port. Unfilled it breaks with a sentence that names it. */
export const logicPort = <Logic extends AnyActorLogic>(name: string): Logic =>
  // as: stands for the chart it is filled with, which has the same type
  ({
    transition: (snapshot: unknown) => snapshot,
    getInitialSnapshot: () => {
      throw unfilled(name)
    },
    getPersistedSnapshot: (snapshot: unknown) => snapshot,
  }) as unknown as Logic

/**
 * Body of an action that `provide` fills: an effect outside of the chart. Unfilled it breaks the machine that runs it
 * with a sentence that names it.
 */
export const unfilledAction = (name: string): never => {
  throw unfilled(name, 'actions')
}
