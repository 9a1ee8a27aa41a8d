import {Suspense, useState, type ReactNode} from 'react'
import type {DialogOverlayProps} from './overlays/dialog-overlay.tsx'
import {lazyView} from './use-lazy.ts'

const DialogOverlay = lazyView(async () => (await import('./overlays/dialog-overlay.tsx')).DialogOverlay)

type DialogProps = DialogOverlayProps & {
  /** Shown while the dialog's code loads. Default: nothing. */
  fallback?: ReactNode
}

/** A modal dialog: focus moves in and returns, the page behind is inert. Its code loads on first open. */
export function Dialog({fallback, ...props}: DialogProps) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return (
    <Suspense fallback={fallback}>
      <DialogOverlay {...props} />
    </Suspense>
  )
}
