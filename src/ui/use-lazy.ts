import {useEffect, useState} from 'react'

type Lazy<Module> = {load: () => Promise<Module>; loaded: Module | undefined}

/** A module that is fetched once, when a view first needs it. */
export function lazyModule<Module>(load: () => Promise<Module>): Lazy<Module> {
  const lazy: Lazy<Module> = {
    loaded: undefined,
    load: async () => (lazy.loaded ??= await load()),
  }
  return lazy
}

/** The module when it is there. A failed download leaves the plain view; the next view that needs it tries again. */
export function useLazy<Module>(lazy: Lazy<Module>, wanted: boolean): Module | undefined {
  const [, setLoaded] = useState(lazy.loaded !== undefined)
  useEffect(() => {
    if (!wanted || lazy.loaded !== undefined) return
    let current = true
    lazy.load().then(
      () => current && setLoaded(true),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [lazy, wanted])
  return wanted ? lazy.loaded : undefined
}
