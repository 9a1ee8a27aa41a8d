import {commandOf} from './commands.ts'
import {chordOf} from './key-chord.ts'
import {isOfComposition, opensField, takeTypedAhead, waitForField} from './typed-ahead.ts'

type Press = (event: KeyboardEvent, isAwaited?: boolean) => void

type KeySource = {addEventListener: (type: 'keydown', listen: Press) => void}

/** Keys that mean something else in a field: whether they are a command's, only its code can say. */
const fieldKeys = /^(?:.|Escape|Mod\+Z)$/

/**
 * Listens from the start of the page to its end.
 * @param loadOffers loads commands that no view offers; the first press waits for them, and they do not fail
 * @returns loads what a press of a key means; a press before that waits for it
 */
export function listenToKeys(target: KeySource = window, loadOffers?: () => Promise<unknown>): () => Promise<Press> {
  let press: Press | undefined
  const prepare = async () => {
    const [{pressKey}] = await Promise.all([import('./key-press.ts'), loadOffers?.()])
    return (press ??= pressKey)
  }
  target.addEventListener('keydown', (event) => {
    if (press) return press(event)
    const chord = chordOf(event)
    const id = commandOf(chord)
    // the browser would take them for itself
    const isAwaited = id !== undefined && !event.defaultPrevented && !isOfComposition(event) && !fieldKeys.test(chord)
    if (isAwaited) {
      event.preventDefault()
      // a repeat opens nothing: what waits is the press before it
      if (opensField(id) && !event.repeat) waitForField()
    }
    prepare().then(
      (pressKey) => pressKey(event, isAwaited),
      // without its code no key is a command; the next press asks again
      () => void takeTypedAhead(),
    )
  })
  return prepare
}
