import {useSyncExternalStore} from 'react'
import {createValueStore} from '#browser/value-store.ts'

const dismissal = createValueStore(false)

/** Whether the user closed the start dialog to look around first. The balance button and a reload open it again. */
export const firstRun = {setDismissed: dismissal.set}

export const useFirstRunDismissed = () => useSyncExternalStore(dismissal.subscribe, dismissal.get)
