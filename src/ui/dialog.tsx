import {Suspense, useState, type ReactNode} from 'react'
import {lazyView} from './use-lazy.ts'

const DialogOverlay = lazyView(async () => (await import('./overlays/dialog-overlay.tsx')).DialogOverlay)

export type DialogProps = {
  open: boolean
  title: string
  description?: string
  /** Without it the user cannot close the dialog: no close button, no Esc, no press outside. */
  onClose?: () => void
  /** In CSS pixels; phones use the full width. */
  width?: number
  /** Hides the title; screen readers still read it. */
  hiddenTitle?: boolean
  children?: ReactNode
  /** Buttons at the foot, the primary one last. */
  actions?: ReactNode
  /** Shown while the dialog's code loads. Default: nothing. */
  fallback?: ReactNode
}

/** A modal dialog: focus moves in and returns, the page behind is inert. Its code loads on first open. */
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
