import {isApple, keysOf} from './commands.ts'
import {isOfComposition, takeTypedAhead, waitForPalette} from './typed-ahead.ts'

type Press = (event: KeyboardEvent, isAwaited?: boolean) => void

type KeySource = {addEventListener: (type: 'keydown', listen: Press) => void}

/** The keys of the palette, as far as it can be said without that code: the browser would take them for itself. */
const isOfPalette = (event: KeyboardEvent) => {
  const {key, code, ctrlKey, metaKey, altKey, shiftKey} = event
  return (
    !isOfComposition(event) &&
    !altKey &&
    (isApple() ? metaKey : ctrlKey) &&
    keysOf('palette') === `Mod+${shiftKey ? 'Shift+' : ''}${/^[a-z]$/i.test(key) ? key.toUpperCase() : code.slice(3)}`
  )
}

/**
 * Listens from the start of the page to its end.
 * @returns loads what a press of a key means; a press before that waits for it
 */
export function listenToKeys(target: KeySource = window): () => Promise<Press> {
  let press: Press | undefined
  const prepare = async () => (press ??= (await import('./key-press.ts')).pressKey)
  target.addEventListener('keydown', (event) => {
    if (press) return press(event)
    const isAwaited = !event.defaultPrevented && isOfPalette(event)
    if (isAwaited) {
      event.preventDefault()
      // a repeat opens nothing: what waits is the press before it
      if (!event.repeat) waitForPalette()
    }
    prepare().then(
      (pressKey) => pressKey(event, isAwaited),
      // without its code no key is a command; the next press asks again
      () => void takeTypedAhead(),
    )
  })
  return prepare
}
