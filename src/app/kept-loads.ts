import {openLayer} from './shell/open-layer.ts'

const failures = new Set<() => void>()

/**
 * The same promise for each render. One that fails gives what is done without it, until a layer such as the palette
 * opens or closes: the next one tries again, also where this one failed after its view was gone.
 */
export function keepLoad<Result>(
  loads: Map<string, Promise<Result>>,
  key: string,
  load: () => Promise<Result>,
  without: Result,
): Promise<Result> {
  const promise =
    loads.get(key) ??
    load().catch(() => {
      failures.add(() => loads.delete(key))
      return without
    })
  loads.set(key, promise)
  return promise
}

openLayer.subscribe(() => {
  for (const forget of failures) forget()
  failures.clear()
})
