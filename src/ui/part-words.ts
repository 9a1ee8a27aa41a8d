import {use} from 'react'

/** The messages of a part of the page. */
export type PartWords = {
  /** For a view: concurrent callers share a promise, and one that failed stays until the failure was shown, or its view left. */
  load: () => Promise<void>
  /** Loads before a view shows, which is to load anew after a failure. Rejects with that. */
  loadAhead: () => Promise<void>
  areThere: () => boolean
  /** Reports that they came; returns the end of that. */
  subscribe: (listener: () => void) => () => void
}

const failures = new Map<unknown, () => void>()

/** Milliseconds in which a view that waits has read the failure: where none has, its view left before. */
const noticed = 1_000

/** The view of a failure says that it shows: forgotten before, the promise would suspend its view without end. */
export function forgetFailure(error: unknown): void {
  failures.get(error)?.()
  failures.delete(error)
}

export function createPartWords(start: () => Promise<void>): PartWords {
  let loading: Promise<void> | undefined
  let unread: ReturnType<typeof setTimeout> | undefined
  let areThere = false
  const listeners = new Set<() => void>()
  const begin = () => {
    const promise = start()
    promise.then(
      // React reads a promise that says so without suspending
      () => {
        void Object.assign(promise, {status: 'fulfilled', value: undefined})
        areThere = true
        for (const listener of listeners) listener()
      },
      (error: unknown) => {
        failures.set(error, () => {
          if (loading === promise) loading = undefined
        })
        unread = setTimeout(() => forgetFailure(error), noticed)
      },
    )
    return promise
  }
  const load = () => {
    clearTimeout(unread)
    return (loading ??= begin())
  }
  return {
    load,
    loadAhead: () =>
      load().catch((error: unknown) => {
        forgetFailure(error)
        throw error
      }),
    areThere: () => areThere,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Suspends until the messages are there. A failure goes to the nearest error boundary. */
export const usePartWords = ({load}: PartWords): void => use(load())
