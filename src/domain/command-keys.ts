/** Keys that browsers and systems keep for themselves, or that users need elsewhere. */
const browserKeys = new Set([
  ...['T', 'N', 'W', 'R', 'L', 'Q', 'P', 'S', 'A', 'C', 'V', 'X', 'Z', 'Y', 'F', 'G', 'D', 'J', 'H', 'U', 'O', 'M'].map(
    (letter) => `Mod+${letter}`,
  ),
  ...['T', 'N', 'W', 'R', 'Q', 'P', 'I', 'J', 'Z', 'V', 'B', 'Delete', 'Tab'].map((key) => `Mod+Shift+${key}`),
  ...['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '=', 'Tab', 'PageUp', 'PageDown'].map(
    (key) => `Mod+${key}`,
  ),
  ...['Mod+F4', 'Mod+Enter', 'Mod+Shift+Enter', 'Alt+F4', 'Alt+ArrowLeft', 'Alt+ArrowRight', 'Alt+Home', 'Alt+D'],
  ...['Mod+ArrowLeft', 'Mod+ArrowRight', 'Mod+ArrowUp', 'Mod+ArrowDown', 'Mod+Home', 'Mod+End', 'Mod+Backspace'],
  ...['F1', 'F3', 'F5', 'F6', 'F7', 'F11', 'F12'],
])

/** Keys by which one types, moves or leaves; they have a meaning wherever they are pressed. */
const basicKeys =
  /^(?:Shift\+)?(?:Enter|Tab|Space|Escape|Backspace|Delete|Insert|Home|End|PageUp|PageDown|ContextMenu|CapsLock|Dead|Process|Unidentified|Arrow\w+)$/

/** Whether the press is only of a key that changes others. */
export const isModifier = (key: string): boolean =>
  /^(?:Control|Shift|Alt|AltGraph|Meta|OS|Fn|FnLock|NumLock|ScrollLock)$/.test(key)

/**
 * Why keys cannot be those of a command; undefined: they can. `taken`: the other command that has them. `fixed`: a view
 * takes them where the focus is, before any command.
 */
export type KeyRefusal<Id extends string> =
  | {reason: 'browser' | 'fixed'; keys: string}
  | {reason: 'taken'; keys: string; by: Id}

/**
 * `keys`: of all commands, `own` are those that the command had at first, which it may always have again. `fixed`: keys
 * of views, which no user can change.
 */
export function refusalOf<Id extends string>(
  chord: string,
  command: Id,
  {keys, own, fixed}: {keys: Readonly<Record<Id, string>>; own: string; fixed: readonly string[]},
): KeyRefusal<Id> | undefined {
  // as: the keys of an object are typed as any text
  const by = (Object.keys(keys) as Id[]).find((id) => id !== command && keys[id] === chord)
  if (by !== undefined) return {reason: 'taken', keys: chord, by}
  if (chord === own) return undefined
  if (fixed.includes(chord)) return {reason: 'fixed', keys: chord}
  return browserKeys.has(chord) || basicKeys.test(chord) ? {reason: 'browser', keys: chord} : undefined
}
