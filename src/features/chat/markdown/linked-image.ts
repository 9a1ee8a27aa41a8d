import {createContext} from 'react'

/** Whether an enclosing link leads elsewhere: an image in it is no link of its own. */
export const LinkedImage = createContext(false)
