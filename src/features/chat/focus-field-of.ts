import {coarsePointer} from '#ui/use-media-query.ts'

/**
 * A button beside the message field that goes once it is pressed hands the focus over to the field. On touch that would
 * bring up the keyboard.
 */
export function focusFieldOf(button: HTMLElement): void {
  if (!matchMedia(coarsePointer).matches) button.closest('form')?.querySelector('textarea')?.focus()
}
