import {keyBindings, singleKeys} from './remembered.ts'

/**
 * Commands with keys of their own, and these keys: `Mod` is ⌘ on Apple's systems and Ctrl elsewhere (design.md §8). The palette lists
 * what is offered at the moment, with the keys that the user chose.
 */
export const defaultKeys = {
  palette: 'Mod+K',
  shortcuts: '?',
  newChat: 'Mod+Shift+O',
  togglePanel: 'Mod+\\',
  focusField: '/',
  copyLast: 'Mod+Shift+C',
  find: 'Mod+Shift+F',
  stop: 'Escape',
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

/** What runs a command now; undefined while nothing offers it. */
export const offered = (id: CommandId): (() => void) | undefined => offers.findLast((offer) => offer[id])?.[id]

/** Keys of a command; none where the user took them away. */
export const keysOf = (id: CommandId): string => keyBindings.get()[id] ?? defaultKeys[id]

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * The keys of a press as `Mod+Shift+O`. A letter is that of the layout, or where that has no Latin ones, of its place on the keyboard.
 * Shift is a part of other characters.
 */
export function chordOf({key, code, ctrlKey, metaKey, altKey, shiftKey}: KeyPress): string {
  const isMod = ctrlKey || metaKey
  const latin = /^Key(.)$/.exec(code)?.[1]
  const name =
    latin !== undefined && !/^[a-z]$/i.test(key)
      ? latin
      : isMod && code === 'Backslash'
        ? '\\'
        : key === ' '
          ? code
          : key
  const isCharacter = name.length === 1 && !/[a-z]/i.test(name)
  return [
    isMod && 'Mod',
    altKey && 'Alt',
    shiftKey && !isCharacter && 'Shift',
    name.length === 1 ? name.toUpperCase() : name,
  ]
    .filter(Boolean)
    .join('+')
}

const isIn = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null

/** Runs the command of a press: not during the composition of an input method, and not below an open overlay. */
function press(event: KeyboardEvent): void {
  const {target} = event
  if (event.isComposing || event.keyCode === 229 || event.repeat || event.defaultPrevented) return
  if (isIn(target, '[role="dialog"], [role="menu"]')) return
  const chord = chordOf(event)
  if (chord.length === 1 && (!singleKeys.get() || isIn(target, 'input, textarea, select, [contenteditable]'))) return
  // as: the keys of an object are typed as any text
  const id = (Object.keys(defaultKeys) as CommandId[]).find((command) => keysOf(command) === chord)
  const run = id && offered(id)
  if (run === undefined) return
  event.preventDefault()
  run()
}

/** Listens from the start of the page to its end. */
export const listenToKeys = (): void => addEventListener('keydown', press)
