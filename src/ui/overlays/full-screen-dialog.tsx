import {Dialog} from '@base-ui/react/dialog'
import type {ReactNode, RefObject} from 'react'
import {OverlayProviders} from './overlay-providers.tsx'
import styles from './overlays.module.css'
import {useHiddenPage} from './use-hidden-page.ts'

type FullScreenDialogProps = {
  open: boolean
  title: string
  onClose: () => void
  /** Gets the focus first. Default: the first button. */
  initialFocus?: RefObject<HTMLElement | null>
  children: ReactNode
}

/** A modal over the whole page: focus moves in and returns, the page behind is inert, Esc closes. */
export function FullScreenDialog({open, title, onClose, initialFocus, children}: FullScreenDialogProps) {
  useHiddenPage(open)
  return (
    <OverlayProviders>
      <Dialog.Root
        open={open}
        onOpenChange={(next) => {
          if (!next) onClose()
        }}
      >
        <Dialog.Portal>
          <Dialog.Viewport className={styles.fullScreen}>
            <Dialog.Popup className={styles.fullScreenPopup} {...(initialFocus && {initialFocus})}>
              <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
              {children}
            </Dialog.Popup>
          </Dialog.Viewport>
        </Dialog.Portal>
      </Dialog.Root>
    </OverlayProviders>
  )
}
