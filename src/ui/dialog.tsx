import {lazy, Suspense, useState, type ReactNode} from 'react'

const DialogOverlay = lazy(async () => ({default: (await import('./overlays/dialog-overlay.tsx')).DialogOverlay}))

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
}

/** A modal dialog: focus moves in and comes back, the page behind is inert. Its code loads when it first opens. */
export function Dialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense>
      <DialogOverlay {...props} />
    </Suspense>
  )
}
