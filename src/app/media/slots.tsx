import {useSyncExternalStore} from 'react'
import {createValueStore} from '#browser/value-store.ts'
import styles from './slots.module.css'

/*
 * Places of the shell that a page fills from within: the screen of a tool puts its settings into the panel and its filters
 * into the head. One actor context serves all three, and the shell holds no code of the tools.
 */

type Slots = {panel: Element | null; head: Element | null}

const slots = createValueStore<Slots>({panel: null, head: null})

const placed = (name: keyof Slots) => (element: Element | null) => slots.set({...slots.get(), [name]: element})
const refs = {panel: placed('panel'), head: placed('head')}

/** A place that the page fills. */
export const Slot = ({name}: {name: keyof Slots}) => <div ref={refs[name]} className={styles[name]} />

/** The places as they stand in the document now. */
export const useSlots = (): Slots => useSyncExternalStore(slots.subscribe, slots.get)
