import {createValueStore, type ValueStore} from './value-store.ts'

/**
 * A small value of this browser that survives reloads: the collapsed panel, recently used tools. It belongs to no user,
 * so it is stored beside the persisted state, and all tabs have the same. If storage is blocked, it lasts until the
 * reload.
 * @param read receives the stored text or null and must accept any text
 */
export function remembered<T>(
  key: string,
  read: (text: string | null) => T,
  write: (value: T) => string,
): ValueStore<T> {
  const store = createValueStore(read(stored(key)))
  // another tab has set it
  globalThis.addEventListener?.('storage', (event) => {
    if (event.key === key) store.set(read(event.newValue))
  })
  return {
    ...store,
    set: (next) => {
      try {
        const text = write(next)
        if (text === '') localStorage.removeItem(key)
        else localStorage.setItem(key, text)
      } catch (error) {
        console.warn(`"${key}" is not remembered:`, error)
      }
      store.set(next)
    },
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null // storage is blocked in this browser: the default is used
  }
}

/** Whether the context panel is beside the workspace. index.html reads the same key before the first paint. */
export const panelVisible = remembered(
  'atrium.panel',
  (text) => text !== 'hidden',
  (visible) => (visible ? 'shown' : 'hidden'),
)

/** Ids of the tools, the last used first. */
export const recentTools = remembered(
  'atrium.tools',
  (text) => (text ?? '').split(' ').filter(Boolean).slice(0, 16),
  (ids) => ids.join(' '),
)

/** Ids of the commands that were run from the palette, the last one first (recent-commands.ts); of one session. */
export const usedCommands = remembered(
  'atrium.commands',
  (text) => (text ?? '').split('\n'),
  (ids) => ids.join('\n'),
)

/** Keys that the user chose for commands, by command (commands.ts). */
export const keyBindings = remembered(
  'atrium.keys',
  (text): Partial<Record<string, string>> => Object.fromEntries(new URLSearchParams(text ?? '')),
  (bindings) => `${new URLSearchParams(bindings as Record<string, string>)}`, // as: a missing key is left out
)

/** The key that sends a message; on touch screens Enter always breaks the line. */
export const sendKey = remembered(
  'atrium.send',
  (text): 'enter' | 'modifier' => (text === 'modifier' ? 'modifier' : 'enter'),
  (key) => key,
)

export function rememberTool(id: string) {
  if (recentTools.get()[0] === id) return
  recentTools.set([id, ...recentTools.get().filter((other) => other !== id)])
}
