import {createContext} from 'react'
import type {ImageSize} from '#machines/framed-image/framed-image.machine.ts'

/** Id of the message that a text stands in; undefined where no server has named it. */
export const TextMessage = createContext<string | undefined>(undefined)

/**
 * Boxes of images that were shown, so that one that comes back moves nothing. Our own stand by address. Images of other
 * hosts, which a press has shown, stand by message and address: a row of a long thread that comes back shows them
 * again, and another message with the same image waits for a press of its own.
 */
type Boxes = Map<string, ImageSize>

const boxesOfSessions = new WeakMap<object, Boxes>()

/** The images of a session, which end with it (security R16). */
export function shownImagesOf(session: object): Boxes {
  const present = boxesOfSessions.get(session)
  if (present !== undefined) return present
  const boxes: Boxes = new Map()
  boxesOfSessions.set(session, boxes)
  return boxes
}

/** A page without sessions has its own. */
export const ShownImages = createContext<Boxes>(new Map())
