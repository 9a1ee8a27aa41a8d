import {use, useEffect, useState} from 'react'

/** The messages of a part of the page, for views that suspend until they are there. */
export type PartWords = {
  /** Loads once; concurrent callers share a promise. Resolves with whether they are there, and never rejects. */
  load: () => Promise<boolean>
  /** Loads before a view shows, which is to load anew after a failure. */
  loadAhead: () => Promise<void>
  /** The next caller loads anew what this promise did not bring. */
  forget: (loading: Promise<boolean>) => void
}

export function createPartWords(start: () => Promise<boolean>): PartWords {
  let loading: Promise<boolean> | undefined
  const forget: PartWords['forget'] = (failedLoad) => {
    if (loading === failedLoad) loading = undefined
  }
  const begin = () => {
    const promise = start()
    // React reads a promise that says so without suspending
    void promise.then((value) => Object.assign(promise, {status: 'fulfilled', value}))
    return promise
  }
  const load = () => (loading ??= begin())
  return {
    load,
    loadAhead: async () => {
      const promise = load()
      if (!(await promise)) forget(promise)
    },
    forget,
  }
}

/**
 * Suspends until the messages are loaded or have failed; the view shows in either case. A failure is forgotten once the
 * view shows, so that the next one loads them anew: forgotten earlier, it would suspend without end.
 */
export function usePartWords({load, forget}: PartWords): void {
  // another view may forget the failure while this one shows
  const [loading] = useState(load)
  const isThere = use(loading)
  useEffect(() => {
    if (!isThere) forget(loading)
  }, [isThere, forget, loading])
}
