import {useSyncExternalStore} from 'react'

const subscribe = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Whether the browser has a network. `true` says little: the server may still be away. */
export const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine)
