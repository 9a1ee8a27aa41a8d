import {useEffect, useState, type RefObject} from 'react'

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('textarea, input:not([type="checkbox"], [type="radio"])')

/** Milliseconds between the two taps of a double tap at most. */
const doubleTap = 350

/**
 * Whether a text field below `element` has the focus; on a touch screen the keyboard is then open. On blur by a press,
 * the change waits for the end of the press, and for a second tap: a control that moves would be missed.
 */
export function useTyping(element: RefObject<HTMLElement | null>): boolean {
  const [typing, setTyping] = useState(false)
  useEffect(() => {
    const frame = element.current
    if (frame === null) return
    let isPressed = false
    let wait = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    // a touch, its blur and its click are one task, so the next task runs after the click
    const settle = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const {activeElement} = document
        wait = 0
        if (!isPressed) setTyping(frame.contains(activeElement) && isTextField(activeElement))
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
    return () => {
      clearTimeout(timer)
      frame.removeEventListener('focusin', enter)
      frame.removeEventListener('focusout', settle)
      removeEventListener('pointerdown', press, true)
      removeEventListener('pointerup', release, true)
      removeEventListener('pointercancel', release, true)
    }
  }, [element])
  return typing
}
