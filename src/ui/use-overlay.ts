import {useCallback, useRef, useState, type KeyboardEvent, type RefObject} from 'react'

export type TriggerProps = {
  ref: RefObject<HTMLButtonElement | null>
  'aria-haspopup': 'menu' | 'dialog'
  'aria-expanded': boolean
  onClick: () => void
  onPointerEnter: () => void
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

export type OverlayControl = {
  open: boolean
  /** The overlay has been asked for once, so its code is wanted. */
  mounted: boolean
  close: () => void
  trigger: TriggerProps
}

/**
 * State of an overlay that hangs on a button. The button is ours and in the first paint; the overlay's code is fetched
 * when a pointer or the focus reaches the button, and shown when it is pressed.
 */
export function useOverlay(kind: 'menu' | 'dialog', preload: () => void): OverlayControl {
  const ref = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [hasMounted, setHasMounted] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  return {
    open,
    mounted: hasMounted,
    close,
    trigger: {
      ref,
      'aria-haspopup': kind,
      'aria-expanded': open,
      onClick: () => {
        setHasMounted(true)
        setOpen((was) => !was)
      },
      onPointerEnter: preload,
      onFocus: preload,
      // the overlay hears Esc itself, once its code is there
      onKeyDown: (event) => {
        if (!open || event.key !== 'Escape') return
        event.preventDefault()
        close()
      },
    },
  }
}

/** A press on the trigger itself is the trigger's to handle, not an outside press that closes first. */
export const isOnTrigger = (event: Event, trigger: RefObject<HTMLElement | null>): boolean =>
  event.target instanceof Node && trigger.current?.contains(event.target) === true
