import type {KeyboardEvent} from 'react'

/** Whether a key press belongs to an input method's composition (design §8; Safari reports key code 229). */
export const isComposing = (event: KeyboardEvent): boolean => event.nativeEvent.isComposing || event.keyCode === 229

/** Whether that press asks an overlay to close: Safari tells of it after the composition's end, already heard. */
export const isOfInputMethod = (event: Event): boolean => 'keyCode' in event && event.keyCode === 229
