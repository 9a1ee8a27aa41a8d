/**
 * Something outside took the focus while an overlay fades out, and keeps it. Base UI gives the focus back to the opener
 * when the fade ends, and asks before it does.
 */
export function hasFocusMoved(): boolean {
  const focusedElement = document.activeElement
  return focusedElement !== null && focusedElement !== document.body && focusedElement.closest('[data-closed]') === null
}
