import {lazy, useEffect, useState, type ComponentType} from 'react'
import {loadedPart, loadPart} from './load-part.ts'

type Lazy<Module> = {load: () => Promise<Module>; loaded: Module | undefined}

/**
 * A view in a part: it suspends until that is there; a failed download goes to the nearest error boundary. Where the
 * same `load` came before, it does not suspend: React would hold back the content for 300 ms after the fallback.
 */
export const partView = <Part, Props extends object>(
  load: () => Promise<Part>,
  viewIn: (part: Part) => ComponentType<Props>,
) =>
  lazy(() => {
    const here = loadedPart(load)
    if (here === undefined) return loadPart(load).then((part) => ({default: viewIn(part)}))
    const atOnce = {then: (take: (module: {default: ComponentType<Props>}) => void) => take({default: viewIn(here)})}
    // as: React calls `then` alone, and reads the view at once where that has called back
    return atOnce as unknown as Promise<{default: ComponentType<Props>}>
  })

/** A view that is the whole of its part. */
export const lazyView = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  partView(load, (view) => view)

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
