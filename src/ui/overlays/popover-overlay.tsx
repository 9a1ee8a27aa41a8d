import {Popover} from '@base-ui/react/popover'
import type {ReactNode, RefObject} from 'react'
import {isOnTrigger} from '../use-overlay.ts'
import {OverlayProviders} from './overlay-providers.tsx'
import styles from './overlays.module.css'

type PopoverOverlayProps = {
  label: string
  align: 'start' | 'end'
  open: boolean
  onClose: () => void
  anchor: RefObject<HTMLButtonElement | null>
  children: ReactNode
}

export function PopoverOverlay({label, align, open, onClose, anchor, children}: PopoverOverlayProps) {
  return (
    <OverlayProviders>
      <Popover.Root
        open={open}
        onOpenChange={(next, details) => {
          if (!next && !isOnTrigger(details.event, anchor)) onClose()
        }}
      >
        <Popover.Portal>
          <Popover.Positioner anchor={anchor} side="bottom" align={align} sideOffset={6} className={styles.positioner}>
            <Popover.Popup className={styles.popover} aria-label={label} finalFocus={anchor}>
              {children}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </OverlayProviders>
  )
}
