import {useLayoutEffect, useState, type RefObject} from 'react'
import {measuredWithin} from './text-marks.ts'

/**
 * The field of an editor takes the focus, in a windowed list as soon as its row is measured. An editor that goes with
 * the focus gives it back to what had it before, else to the message that replaces it.
 */
export function useEditorFocus(field: RefObject<HTMLTextAreaElement | null>, takesFocus: boolean): void {
  const [before] = useState(() => document.activeElement)
  useLayoutEffect(() => {
    const editor = field.current
    if (editor === null) return
    const message = editor.closest<HTMLElement>('article, li')
    let frame = 0
    const take = (frames: number) => {
      const focusedElement = document.activeElement
      if (focusedElement === before || focusedElement === document.body) editor.focus()
      if (document.activeElement !== editor && frames > 0) frame = requestAnimationFrame(() => take(frames - 1))
    }
    if (takesFocus) take(measuredWithin)
    return () => {
      cancelAnimationFrame(frame)
      // the buttons that replace it are not there yet
      if (editor.form?.contains(document.activeElement)) requestAnimationFrame(() => giveBack(before, message))
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, for the editor
  }, [])
}

function giveBack(before: Element | null, message: HTMLElement | null): void {
  if (message?.isConnected !== true || document.activeElement !== document.body) return
  if (before instanceof HTMLElement && before !== document.body && before.isConnected) {
    before.focus({preventScroll: true})
    return
  }
  message.tabIndex = -1
  const target = message.querySelector<HTMLElement>('[data-edit]') ?? message
  target.focus({preventScroll: true})
}
