import {use} from 'react'

/** The messages of a part of the page. */
export type PartWords = {
  /** For a view: concurrent callers share a promise, and one that failed stays until the failure was shown. */
  load: () => Promise<void>
  /** Loads before a view shows, which is to load anew after a failure. Rejects with that. */
  loadAhead: () => Promise<void>
}

export function createPartWords(start: () => Promise<void>): PartWords {
  let loading: Promise<void> | undefined
  const forget = (failedLoad: Promise<void>) => {
    if (loading === failedLoad) loading = undefined
  }
  const begin = () => {
    const promise = start()
    promise.then(
      // React reads a promise that says so without suspending
      () => Object.assign(promise, {status: 'fulfilled', value: undefined}),
      // for the view of the failure (`Crash`): forgotten before that shows, this one would suspend without end
      (error: unknown) => void Object.assign(Object(error), {forget: () => forget(promise)}),
    )
    return promise
  }
  const load = () => (loading ??= begin())
  return {
    load,
    loadAhead: () => {
      const promise = load()
      return promise.catch((error: unknown) => {
        forget(promise)
        throw error
      })
    },
  }
}

/** Suspends until the messages are there. A failure goes to the nearest error boundary. */
export const usePartWords = ({load}: PartWords): void => use(load())
