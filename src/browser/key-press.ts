import {commandOf, offered, type CommandId} from './commands.ts'
import {chordOf} from './key-chord.ts'
import {keyBindings} from './remembered-value.ts'
import {singleKeys} from './single-keys.ts'
import {isOfComposition, opensField, takeTypedAhead, waitForField} from './typed-ahead.ts'

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

/** An overlay that closes still has the focus, and takes no more keys. */
const openOverlay = '[role="dialog"]:not([data-closed]), [role="menu"]:not([data-closed])'

/** The list of conversations is an overlay on narrow pages: the keys of its search and of the palette are its too. */
const hasSearch = (target: EventTarget | null) =>
  target instanceof Element && (target.closest(openOverlay)?.querySelector('[role="search"]') ?? null) !== null

/** An overlay over the page takes the keys of most commands. */
const isBelowOverlay = (id: CommandId | undefined, target: EventTarget | null) =>
  isIn(target, openOverlay) && !(opensField(id) && hasSearch(target))

/**
 * The command whose keys are stored by what Option types with them (`Alt+¡`), as digits and signs were before they were
 * stored by their position on the keyboard. They are stored by it from then on.
 */
function commandOfTyped(event: KeyboardEvent, chord: string): CommandId | undefined {
  const {key, ctrlKey, metaKey, shiftKey} = event
  if (!event.altKey || key.length !== 1) return undefined
  // a sign has no Shift of its own; without its position the press has the keys that were stored
  const typedChord = chordOf({key, code: '', ctrlKey, metaKey, altKey: false, shiftKey}).replace(
    /(?:Shift\+)?.$/u,
    'Alt+$&',
  )
  const id = commandOf(typedChord)
  if (id !== undefined) keyBindings.set({...keyBindings.get(), [id]: chord})
  return id
}

/**
 * Runs the command of a press: not during the composition of an input method, and not below an open overlay. The last
 * deletion can be taken back from an overlay too: the list of conversations is one on narrow pages.
 * @param isAwaited the press was taken from the browser before this code was there
 */
export function pressKey(event: KeyboardEvent, isAwaited = false): void {
  const {target} = event
  if (isOfComposition(event) || (event.defaultPrevented && !isAwaited)) return
  const chord = chordOf(event)
  if (chord.length === 1 && (!singleKeys.get() || isIn(target, 'input, textarea, select, [contenteditable]'))) return
  const id = commandOf(chord) ?? commandOfTyped(event, chord)
  const run = id && offered(id)
  const isFields = chord === 'Mod+Z' && undoesItself(target)
  // of a key that is held the first press counts; the browser takes none of the others for itself
  if (event.repeat) {
    if (run !== undefined && !isFields) event.preventDefault()
    return
  }
  if (run === undefined || (id === 'undo' ? isFields : isBelowOverlay(id, target))) {
    if (isAwaited && opensField(id)) takeTypedAhead()
    return
  }
  event.preventDefault()
  if (opensField(id)) waitForField()
  run()
}
