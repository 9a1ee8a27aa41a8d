import {Suspense, useState, type ReactNode} from 'react'
import {lazyView} from './use-lazy.ts'

const DrawerOverlay = lazyView(async () => (await import('./overlays/drawer-overlay.tsx')).DrawerOverlay)

export type DrawerProps = {
  open: boolean
  onClose: () => void
  title: string
  /** `start` and `end` slide in from that side; `bottom` is a sheet. */
  side?: 'start' | 'end' | 'bottom'
  /** The content has its own visible heading. */
  hiddenTitle?: boolean
  children?: ReactNode
}

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
