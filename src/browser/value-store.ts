/** A value and its readers, in the form that `useSyncExternalStore` takes (docs/decisions/0036). */
export type ValueStore<T> = {
  get: () => T
  set: (value: T) => void
  /** @returns the end of the subscription */
  subscribe: (listener: () => void) => () => void
}

export function createValueStore<T>(initial: T): ValueStore<T> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
