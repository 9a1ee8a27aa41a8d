/**
 * Frames in which the focus is insisted on: a windowed list hides a new row until it is measured, and a menu that
 * closes gives the focus back late.
 */
const insistedWithin = 60

/** Gives a row's message the focus, and marks it for a moment. Returns what gives up; so does any press. */
export function pointOut(row: HTMLElement): () => void {
  const message = row.querySelector<HTMLElement>('article') ?? row
  message.tabIndex = -1
  const origin = document.activeElement
  let frame = 0
  let isMarked = false
  const presses = new AbortController()
  const stop = () => {
    cancelAnimationFrame(frame)
    presses.abort()
  }
  const take = (frames: number) => {
    if (isFree(document.activeElement) || document.activeElement === origin) message.focus({preventScroll: true})
    if (document.activeElement === message && !isMarked) {
      isMarked = true
      mark(row)
    }
    if (frames > 0) frame = requestAnimationFrame(() => take(frames - 1))
    else stop()
  }
  message.focus({preventScroll: true})
  take(insistedWithin)
  for (const press of ['keydown', 'pointerdown'])
    addEventListener(press, stop, {capture: true, once: true, signal: presses.signal})
  return stop
}

/** The focus is nowhere, or on the button of a menu: whatever else has it was given it since. */
const isFree = (focusedElement: Element | null): boolean =>
  focusedElement === null || focusedElement === document.body || focusedElement.matches('[aria-haspopup]')

/** A colour that fades: no movement, so it is shown whatever motion the user wants. */
function mark(row: HTMLElement): void {
  const markStyle = {
    backgroundColor: 'var(--accent-soft)',
    // not below the row: the bubble of the next question begins there
    boxShadow: '0 -4px 0 4px var(--accent-soft)',
    borderRadius: 'var(--r-sm)',
  }
  row.animate([markStyle, {...markStyle, offset: 0.6}, {borderRadius: 'var(--r-sm)'}], 2_400)
}
