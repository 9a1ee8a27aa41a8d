import {lazy, Suspense, useState, type ReactNode} from 'react'
import {loadPart} from './load-part.ts'

const DialogOverlay = lazy(async () => ({
  default: (await loadPart(() => import('./overlays/dialog-overlay.tsx'))).DialogOverlay,
}))

export type DialogProps = {
  open: boolean
  title: string
  description?: string
  /** Without it the dialog cannot be left: no close button, no Esc, no press outside. */
  onClose?: () => void
  /** In CSS pixels; phones use the full width. */
  width?: number
  /** The title is read by screen readers and not shown. */
  hiddenTitle?: boolean
  children?: ReactNode
  /** Buttons at the foot, the primary one last. */
  actions?: ReactNode
  /** Stands for the dialog while its code loads; nothing if absent. */
  fallback?: ReactNode
}

/** A modal dialog: focus moves in and comes back, the page behind is inert. Its code loads when it first opens. */
export function Dialog({fallback, ...props}: DialogProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense fallback={fallback}>
      <DialogOverlay {...props} />
    </Suspense>
  )
}
