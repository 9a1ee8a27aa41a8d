import {useSyncExternalStore} from 'react'
import styles from './slots.module.css'

/*
 * Places of the shell that a page fills from within: the screen of a tool puts its settings into the panel and its filters
 * into the head. One actor context serves all three, and the shell holds no code of the tools.
 */

type Slots = {panel: Element | null; head: Element | null}

let slots: Slots = {panel: null, head: null}
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const read = () => slots

const placed = (name: keyof Slots) => (element: Element | null) => {
  slots = {...slots, [name]: element}
  for (const listener of listeners) listener()
}
const refs = {panel: placed('panel'), head: placed('head')}

/** A place that the page fills. */
export const Slot = ({name}: {name: keyof Slots}) => <div ref={refs[name]} className={styles[name]} />

/** The places as they stand in the document now. */
export const useSlots = (): Slots => useSyncExternalStore(subscribe, read)
