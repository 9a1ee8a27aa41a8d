import {startTransition, Suspense, useEffect, useState} from 'react'
import type {DrawerProps} from './overlays/drawer-overlay.tsx'
import {loadPart} from './load-part.ts'
import {lazyView} from './use-lazy.ts'

const load = () => import('./overlays/drawer-overlay.tsx')
const DrawerOverlay = lazyView(async () => (await load()).DrawerOverlay)

/**
 * A panel over the page that a swipe, Esc or a press outside closes. Its code loads on first open, or with `isPrepared`
 * soon after the page is there: what suspends on a press is shown 300 ms later.
 */
export function Drawer({isPrepared, ...props}: DrawerProps & {isPrepared?: boolean}) {
  const [wasOpen, setWasOpen] = useState(props.open)
  useEffect(() => {
    if (isPrepared !== true) return
    let isCurrent = true
    const prepare = () => isCurrent && startTransition(() => setWasOpen(true))
    // one that does not come is told when it is opened
    const timer = setTimeout(() => void loadPart(load).then(prepare, () => undefined), 1_500)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [isPrepared])
  if (props.open && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return (
    <Suspense>
      <DrawerOverlay {...props} />
    </Suspense>
  )
}
