import {Suspense, useState} from 'react'
import type {DrawerProps} from './overlays/drawer-overlay.tsx'
import {lazyView} from './use-lazy.ts'

const DrawerOverlay = lazyView(async () => (await import('./overlays/drawer-overlay.tsx')).DrawerOverlay)

/** A panel over the page that a swipe, Esc or a press outside closes. Its code loads on first open. */
export function Drawer(props: DrawerProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense>
      <DrawerOverlay {...props} />
    </Suspense>
  )
}
