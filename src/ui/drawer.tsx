import {lazy, startTransition, Suspense, useEffect, useState} from 'react'
import type {DrawerProps} from './overlays/drawer-overlay.tsx'
import {loadPart} from './load-part.ts'

const importOverlay = () => import('./overlays/drawer-overlay.tsx')

let loading: ReturnType<typeof importOverlay> | undefined

/** One download for what is prepared and what is opened meanwhile: a style sheet that is gone fails both at once. */
const load = () => {
  loading ??= loadPart(importOverlay).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
const DrawerOverlay = lazy(async () => ({default: (await load()).DrawerOverlay}))

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
    const timer = setTimeout(() => void load().then(prepare, () => undefined), 1_500)
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
