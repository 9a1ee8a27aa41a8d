import {createContext} from 'react'

/** Id of the message that a text stands in; undefined where no server has named it. */
export const TextMessage = createContext<string | undefined>(undefined)

/** Pixels. */
type ImageSize = {width: number; height: number}

/**
 * Images of other hosts that a press has shown on this page, by message and address: a row of a long thread that comes back shows
 * them again. Another message with the same image waits for a press of its own.
 */
export const shownImages = new Map<string, ImageSize>()
