import {useSyncExternalStore, type KeyboardEvent} from 'react'
import {sendKey} from '#browser/remembered-value.ts'
import {coarsePointer, useMediaQuery} from '#ui/use-media-query.ts'

/** Whether a key press in a message field sends it, by the user's setting. On touch screens Enter breaks the line. */
export function useSendKey() {
  const isTouch = useMediaQuery(coarsePointer)
  const isPlain = useSyncExternalStore(sendKey.subscribe, sendKey.get) === 'enter' && !isTouch
  return {
    /** Only with Ctrl or Command, although there is a keyboard. */
    isModified: !isPlain && !isTouch,
    enterKeyHint: isPlain ? ('send' as const) : ('enter' as const),
    sends: ({key, ctrlKey, metaKey, shiftKey, altKey}: KeyboardEvent): boolean =>
      key === 'Enter' && (ctrlKey || metaKey || (isPlain && !shiftKey && !altKey)),
  }
}
