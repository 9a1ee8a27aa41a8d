import {useSyncExternalStore} from 'react'
import {createValueStore} from '#browser/value-store.ts'
import type {MediaSlots} from '#features/media/media-screen.tsx'
import styles from './slots.module.css'

/*
 * Slots of the shell that a page fills from within: the screen of a tool puts its settings into the panel and its
 * filters into the head. One actor context serves all three, and the shell holds no code of the tools.
 */

const slots = createValueStore<MediaSlots>({panel: null, head: null})

const placed = (name: keyof MediaSlots) => (element: Element | null) => slots.set({...slots.get(), [name]: element})
const refs = {panel: placed('panel'), head: placed('head')}

/** A slot that the page fills. */
export const Slot = ({name}: {name: keyof MediaSlots}) => <div ref={refs[name]} className={styles[name]} />

/** The slots as they stand in the document now. */
export const useSlots = (): MediaSlots => useSyncExternalStore(slots.subscribe, slots.get)
