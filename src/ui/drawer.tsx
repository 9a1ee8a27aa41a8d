import {startTransition, Suspense, useEffect, useState} from 'react'
import type {DrawerProps} from './overlays/drawer-overlay.tsx'
import {lazyView} from './use-lazy.ts'

const DrawerOverlay = lazyView(async () => (await import('./overlays/drawer-overlay.tsx')).DrawerOverlay)

/**
 * A panel over the page that a swipe, Esc or a press outside closes. Its code loads on first open, or with `isPrepared`
 * soon after the page is there: what suspends on a press is shown 300 ms later.
 */
export function Drawer({isPrepared, ...props}: DrawerProps & {isPrepared?: boolean}) {
  const [wasOpen, setWasOpen] = useState(props.open)
  useEffect(() => {
    if (isPrepared !== true) return
    const timer = setTimeout(() => startTransition(() => setWasOpen(true)), 1_500)
    return () => clearTimeout(timer)
  }, [isPrepared])
  if (props.open && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return (
    <Suspense>
      <DrawerOverlay {...props} />
    </Suspense>
  )
}
