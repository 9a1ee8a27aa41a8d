import {defaultKeys, keysOf, offered, type CommandId} from './commands.ts'
import {singleKeys} from './single-keys.ts'

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const isApple = /^(mac|iphone|ipad)/i.test(navigator.platform)

/**
 * The keys of a press as `Mod+Shift+O`. `Mod` is ⌘ on Apple's systems, where Ctrl moves and deletes in text fields, and Ctrl elsewhere. A letter is that of the layout, or where that has no Latin ones, of its place on the keyboard.
 * Shift is a part of other characters.
 */
export function chordOf({key, code, ctrlKey, metaKey, altKey, shiftKey}: KeyPress, onApple = isApple): string {
  const isMod = onApple ? metaKey : ctrlKey
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
    onApple ? ctrlKey && 'Control' : metaKey && 'Meta',
    altKey && 'Alt',
    shiftKey && !isCharacter && 'Shift',
    name.length === 1 ? name.toUpperCase() : name,
  ]
    .filter(Boolean)
    .join('+')
}

const isIn = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null

/** The text field with the focus, once something was typed in it. */
let typedIn: EventTarget | null = null
addEventListener('focusin', () => (typedIn = null))
addEventListener('input', ({target}) => (typedIn = target))

/** Text fields undo what was typed in them; one that is empty, and was when it got the focus, has nothing to undo. */
const undoesItself = (target: EventTarget | null) =>
  (target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !/^(?:checkbox|radio|range|file)$/.test(target.type))) &&
  (target.value !== '' || target === typedIn)

/** One that closes has the focus still, and takes no keys any more. */
const openOverlay = '[role="dialog"]:not([data-closed]), [role="menu"]:not([data-closed])'

/** What was typed since the keys of the palette; undefined while nothing waits for it. */
let typedAhead: string | undefined
let endWait = () => {}

/** Milliseconds: a palette that has not come by then takes no keys away any more. */
const longestWait = 3_000

/** Gives what was typed since the keys of the palette, whose field takes the keys itself from now on. */
export function takeTypedAhead(): string {
  const typed = typedAhead ?? ''
  endWait()
  return typed
}

/** Keeps a press for the palette, if it types something. */
function keepTyped(event: KeyboardEvent): void {
  const {key, ctrlKey, metaKey, altKey} = event
  if (event.isComposing || typedAhead === undefined) return
  if (key === 'Escape' || key === 'Tab') return endWait()
  const isCharacter = key.length === 1 && !metaKey && ctrlKey === altKey
  if (!isCharacter && key !== 'Backspace' && key !== 'Enter') return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (isCharacter) typedAhead += key
  else if (key === 'Backspace') typedAhead = typedAhead.slice(0, -1)
}

/** The palette may be loading still: what is typed meanwhile is for it, and not for the field with the focus. */
function waitForPalette(): void {
  const typed = typedAhead ?? ''
  endWait()
  typedAhead = typed
  const timer = setTimeout(() => endWait(), longestWait)
  const point = () => endWait()
  endWait = () => {
    typedAhead = undefined
    clearTimeout(timer)
    removeEventListener('keydown', keepTyped, true)
    removeEventListener('pointerdown', point, true)
  }
  addEventListener('keydown', keepTyped, true)
  addEventListener('pointerdown', point, true)
}

/**
 * Runs the command of a press: not during the composition of an input method, and not below an open overlay. The last deletion can be
 * taken back from an overlay too: the list of conversations is one on narrow pages.
 */
export function pressKey(event: KeyboardEvent): void {
  const {target} = event
  if (event.isComposing || event.keyCode === 229 || event.repeat || event.defaultPrevented) return
  const chord = chordOf(event)
  if (chord.length === 1 && (!singleKeys.get() || isIn(target, 'input, textarea, select, [contenteditable]'))) return
  // as: the keys of an object are typed as any text
  const id = (Object.keys(defaultKeys) as CommandId[]).find((command) => keysOf(command) === chord)
  const run = id && offered(id)
  if (run === undefined || (id === 'undo' ? undoesItself(target) : isIn(target, openOverlay))) return
  event.preventDefault()
  if (id === 'palette') waitForPalette()
  run()
}
