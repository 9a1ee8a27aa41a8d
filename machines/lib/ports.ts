import {throwError} from 'rxjs'
import {fromEventObservable, fromPromise, type EventObject, type NonReducibleUnknown} from 'xstate'

const unfilled = (name: string) => new Error(`Port "${name}" has no adapter: machine.provide({actors: {${name}: …}})`)

/** A port that answers once. Unfilled it rejects with a sentence that names it. */
export const promisePort = <TOutput, TInput extends NonReducibleUnknown = undefined>(name: string) =>
  fromPromise<TOutput, TInput>(() => Promise.reject(unfilled(name)))

/** A port that reports many facts: subscribing opens it, leaving the state unsubscribes. Unfilled it fails loudly. */
export const streamPort = <TEvent extends EventObject, TInput extends NonReducibleUnknown = undefined>(name: string) =>
  fromEventObservable<TEvent, TInput>(() => throwError(() => unfilled(name)))
