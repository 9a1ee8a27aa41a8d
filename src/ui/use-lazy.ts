import {lazy, useEffect, useState, type ComponentType} from 'react'
import {loadPart} from './load-part.ts'

type Lazy<Module> = {load: () => Promise<Module>; loaded: Module | undefined}

/** A view that suspends until its module is there; a failed download goes to the nearest error boundary. */
export const lazyView = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({default: await loadPart(load)}))

/** A module that is fetched once, when a view first needs it. */
export function lazyModule<Module>(load: () => Promise<Module>): Lazy<Module> {
  const part: Lazy<Module> = {
    loaded: undefined,
    load: async () => (part.loaded ??= await loadPart(load)),
  }
  return part
}

/** The module when it is there. A failed download leaves the plain view; the next view that needs it tries again. */
export function useLazy<Module>(lazy: Lazy<Module>, isWanted: boolean): Module | undefined {
  const [, setLoaded] = useState(lazy.loaded !== undefined)
  useEffect(() => {
    if (!isWanted || lazy.loaded !== undefined) return
    let current = true
    lazy.load().then(
      () => current && setLoaded(true),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [lazy, isWanted])
  return isWanted ? lazy.loaded : undefined
}
