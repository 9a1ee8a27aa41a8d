import {useSyncExternalStore} from 'react'

let isPrinting = false

function subscribe(onChange: () => void): () => void {
  const controller = new AbortController()
  for (const name of ['beforeprint', 'afterprint']) {
    const follow = () => {
      isPrinting = name === 'beforeprint'
      onChange()
    }
    window.addEventListener(name, follow, controller)
  }
  return () => controller.abort()
}

/** Whether the browser prints the page: `@media print` alone shows nothing that is not rendered. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)
