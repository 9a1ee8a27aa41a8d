import {offered} from '#browser/commands.ts'
import {coarsePointer} from '#ui/use-media-query.ts'

/** Keys go on in the message field where nothing nearer can have the focus. On touch it would bring up the keyboard. */
export function focusMessageField(): void {
  if (!matchMedia(coarsePointer).matches) offered('focusField')?.()
}
