import {isApple} from './commands.ts'

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const isAscii = (key: string) => /^[!-~]$/.test(key)

/** The sign that an English keyboard has at this position: a command has it, and another layout may not. */
function signAt({key, code, ctrlKey, metaKey, altKey, shiftKey}: KeyPress, isMod: boolean): string | undefined {
  // Arabic keyboards have `ظ` and `؟` there, and neither sign elsewhere; a French one has `§`, and both
  if (code === 'Slash' && key > 'ÿ' && !ctrlKey && !metaKey && !altKey) return shiftKey ? '?' : '/'
  if (!isMod) return undefined
  if (code === 'Backslash') return '\\'
  return code === 'Comma' && !altKey && !isAscii(key) ? ',' : undefined
}

/**
 * The keys of a press as `Mod+Shift+O`. `Mod` is ⌘ on Apple's systems, where Ctrl moves and deletes in text fields, and
 * Ctrl elsewhere. A character of ASCII is that of the layout. The position on the keyboard counts where a layout has
 * others for letters (Cyrillic), or for digits (AZERTY without Shift), and for what Option types, which may be a dead
 * key; a position without a letter has the name of its code. Shift is a part of other characters.
 */
export function chordOf(press: KeyPress, onApple = isApple()): string {
  const {key, code, ctrlKey, metaKey, altKey, shiftKey} = press
  const isMod = onApple ? metaKey : ctrlKey
  const sign = signAt(press, isMod)
  const isPosition =
    sign === undefined &&
    (key === ' ' ||
      (onApple && altKey && key.length === 1) ||
      (code.startsWith('Key') && !isAscii(key)) ||
      ((isMod || altKey) && (key === 'Dead' || (code.startsWith('Digit') && !shiftKey))))
  const positionOrKey = isPosition ? code.replace(/^Key|^Digit/, '') : (sign ?? key)
  const name = positionOrKey.length === 1 ? positionOrKey.toUpperCase() : positionOrKey
  return [
    isMod && 'Mod',
    onApple ? ctrlKey && 'Control' : metaKey && 'Meta',
    altKey && 'Alt',
    shiftKey && (isPosition || name.length > 1 || name !== name.toLowerCase()) && 'Shift',
    name,
  ]
    .filter(Boolean)
    .join('+')
}
