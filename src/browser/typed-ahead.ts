import {isApple} from './commands.ts'

/** What was typed since the keys of the palette; undefined while nothing waits for it. */
let typedAhead: string | undefined
let endWait = () => {}

/** Milliseconds: a palette that has not come by then takes no keys away any more. */
const longestWait = 3_000

/** Gives what was typed since the keys of the palette, whose field takes the keys itself from now on. */
export function takeTypedAhead(): string {
  const text = typedAhead ?? ''
  endWait()
  return text
}

/** Whether a press belongs to the composition of an input method; Safari says so of the last one by its key code only (design §8). */
export const isOfComposition = ({isComposing, keyCode}: KeyboardEvent): boolean => isComposing || keyCode === 229

/** Keeps a press for the palette, if it types something. */
function keepTyped(event: KeyboardEvent): void {
  const {key, ctrlKey, metaKey, altKey} = event
  if (isOfComposition(event) || typedAhead === undefined) return
  if (key === 'Escape' || key === 'Tab') return endWait()
  // AltGr is Ctrl and Alt in one
  const isCharacter = key.length === 1 && !metaKey && (ctrlKey === altKey || (altKey && isApple()))
  if (!isCharacter && key !== 'Backspace' && key !== 'Enter') return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (isCharacter) typedAhead += key
  else if (key === 'Backspace') typedAhead = typedAhead.slice(0, -1)
}

/** The palette may be loading still: what is typed meanwhile is for it, and not for the field with the focus. */
export function waitForPalette(): void {
  const text = typedAhead ?? ''
  endWait()
  typedAhead = text
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
