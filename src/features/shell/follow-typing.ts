const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('textarea, input:not([type="checkbox"], [type="radio"])')

/** Milliseconds between the two taps of a double tap at most. */
const doubleTap = 350

/**
 * Says whether a text field below `frame` has the focus. On blur by a press, the change waits for the end of the press,
 * and for a second tap: a control that moves would be missed.
 * @returns ends it
 */
export function followTyping(frame: HTMLElement, setTyping: (isTyping: boolean) => void): () => void {
  let isPressed = false
  let wait = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => setTyping(frame.contains(document.activeElement) && isTextField(document.activeElement))
  // a touch, its blur and its click are one task, so the next task runs after the click
  const settle = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      wait = 0
      if (!isPressed) look()
    }, wait)
  }
  const press = () => {
    isPressed = true
    wait = doubleTap
  }
  const release = () => {
    isPressed = false
    settle()
  }
  const enter = ({target}: FocusEvent) => {
    if (isTextField(target)) setTyping(true)
  }
  frame.addEventListener('focusin', enter)
  frame.addEventListener('focusout', settle)
  addEventListener('pointerdown', press, true)
  addEventListener('pointerup', release, true)
  addEventListener('pointercancel', release, true)
  // the field may have been there before this was
  look()
  return () => {
    clearTimeout(timer)
    frame.removeEventListener('focusin', enter)
    frame.removeEventListener('focusout', settle)
    removeEventListener('pointerdown', press, true)
    removeEventListener('pointerup', release, true)
    removeEventListener('pointercancel', release, true)
  }
}
