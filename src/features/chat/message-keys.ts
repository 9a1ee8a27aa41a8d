import type {KeyboardEvent} from 'react'

/** Whether a key press belongs to an input method's composition (design §8; Safari reports key code 229). */
export const isComposing = (event: KeyboardEvent): boolean => event.nativeEvent.isComposing || event.keyCode === 229

/** Whether a key press in a message field sends it. On touch screens Enter breaks the line. */
export const sendsMessage = ({key, ctrlKey, metaKey, shiftKey, altKey}: KeyboardEvent, isTouch: boolean): boolean =>
  key === 'Enter' && (ctrlKey || metaKey || (!shiftKey && !altKey && !isTouch))
