import {keyBindings} from './remembered-value.ts'

/**
 * Commands with keys of their own, and these keys: `Mod` is ⌘ on Apple's systems and Ctrl elsewhere (design.md §8). The
 * palette lists what is offered at the moment, with the keys that the user chose.
 */
export const defaultKeys = {
  palette: 'Mod+K',
  shortcuts: '?',
  newChat: 'Mod+Shift+O',
  togglePanel: 'Mod+\\',
  settings: 'Mod+,',
  focusField: '/',
  copyLast: 'Mod+Shift+C',
  find: 'Mod+Shift+F',
  searchList: 'Mod+Shift+L',
  stop: 'Escape',
  undo: 'Mod+Z',
}
export type CommandId = keyof typeof defaultKeys
type Commands = Partial<Record<CommandId, () => void>>

let offers: readonly Commands[] = []

/**
 * Offers commands as long as a view is there; of two that offer the same the newer one counts.
 * @returns the end of the offer
 */
export function offerCommands(commands: Commands): () => void {
  offers = [...offers, commands]
  return () => {
    offers = offers.filter((other) => other !== commands)
  }
}

/** The function that runs a command now; undefined while nothing offers it. */
export const offered = (id: CommandId): (() => void) | undefined => offers.findLast((offer) => offer[id])?.[id]

/** `Mod` is ⌘ there, and Option types characters as Shift does. */
export const isApple = (): boolean => /^(mac|iphone|ipad)/i.test(navigator.platform)

/** Keys of a command; none where the user took them away. */
export const keysOf = (id: CommandId): string => keyBindings.get()[id] ?? defaultKeys[id]

// as: the keys of an object are typed as any text
const commandIds = Object.keys(defaultKeys) as CommandId[]

/** The command with these keys; of two with the same the first. */
export const commandOf = (chord: string): CommandId | undefined => commandIds.find((id) => keysOf(id) === chord)
