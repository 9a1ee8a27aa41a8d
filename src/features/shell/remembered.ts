/**
 * A small value of this browser that outlives reloads: the collapsed panel, the tools used last. It is not of a user,
 * so it lives beside the persisted state and not in it. Blocked storage makes it last until the reload.
 */
export type Remembered<T> = {
  get: () => T
  set: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

/** `read` gets the stored text or null and must accept anything; `write` makes the text. */
export function remembered<T>(
  key: string,
  read: (text: string | null) => T,
  write: (value: T) => string,
): Remembered<T> {
  const listeners = new Set<() => void>()
  let value = read(stored(key))
  return {
    get: () => value,
    set: (next) => {
      value = next
      try {
        localStorage.setItem(key, write(next))
      } catch (error) {
        console.warn(`"${key}" is not remembered:`, error)
      }
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null // storage is forbidden in this browser; the default value serves
  }
}

/** Whether the context panel shows beside the workspace. index.html reads the same key before the first paint. */
export const panelVisible = remembered(
  'atrium.panel',
  (text) => text !== 'hidden',
  (visible) => (visible ? 'shown' : 'hidden'),
)

/** Ids of the tools, the one used last first. */
export const recentTools = remembered(
  'atrium.tools',
  (text) => (text ?? '').split(' ').filter(Boolean).slice(0, 16),
  (ids) => ids.join(' '),
)

export function rememberTool(id: string) {
  if (recentTools.get()[0] === id) return
  recentTools.set([id, ...recentTools.get().filter((other) => other !== id)])
}
