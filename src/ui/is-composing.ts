import type {KeyboardEvent} from 'react'

/** Whether a key press belongs to an input method's composition (design §8; Safari reports key code 229). */
export const isComposing = (event: KeyboardEvent): boolean => event.nativeEvent.isComposing || event.keyCode === 229
