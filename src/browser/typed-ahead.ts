import {isApple, type CommandId} from './commands.ts'

/** The text that was typed since a field was asked for; empty while nothing waits for it. */
let typedAhead = ''
let endWait = () => {}

/** Milliseconds: a field that has not come by then takes no keys away any more. */
const longestWait = 3_000

/** Gives what was typed since the field was asked for, which takes the keys itself from now on. */
export function takeTypedAhead(): string {
  const text = typedAhead
  endWait()
  return text
}

/**
 * Whether a press belongs to the composition of an input method; Safari says so of the last one by its key code only
 * (design §8). A dead key, which has that code as well, only begins one.
 */
export const isOfComposition = ({isComposing, keyCode, key}: KeyboardEvent): boolean =>
  isComposing || (keyCode === 229 && key !== 'Dead')

/** Keeps a press for the field, if it types something. */
function keepTyped(event: KeyboardEvent): void {
  const {key, ctrlKey, metaKey, altKey} = event
  if (isOfComposition(event)) return
  if (key === 'Escape' || key === 'Tab') return endWait()
  // AltGr is Ctrl and Alt in one
  const isCharacter = key.length === 1 && !metaKey && (ctrlKey === altKey || (altKey && isApple()))
  if (!isCharacter && key !== 'Backspace' && key !== 'Enter') return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (isCharacter) typedAhead += key
  else if (key === 'Backspace') typedAhead = typedAhead.slice(0, -1)
}

/** The command leads to a field, which {@link takeTypedAhead} takes over. */
export const opensField = (id: CommandId | undefined): boolean => id === 'palette' || id === 'searchList'

/** Palette, search or list of models may be loading still: keys are for its field, and not for what has the focus. */
export function waitForField(): void {
  typedAhead = takeTypedAhead()
  const wait = new AbortController()
  const options = {capture: true, signal: wait.signal}
  const timer = setTimeout(takeTypedAhead, longestWait)
  endWait = () => {
    typedAhead = ''
    clearTimeout(timer)
    wait.abort()
  }
  addEventListener('keydown', keepTyped, options)
  addEventListener('pointerdown', takeTypedAhead, options)
}
