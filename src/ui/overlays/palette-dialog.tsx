import {Dialog} from '@base-ui/react/dialog'
import {useRef, type ReactNode} from 'react'
import {isOfInputMethod} from '../is-composing.ts'
import {useRootMark} from '../use-root-mark.ts'
import {OverlayProviders} from './overlay-providers.tsx'
import styles from './overlays.module.css'
import {useCloseRequest} from './use-close-request.ts'
import {useHiddenPage} from './use-hidden-page.ts'

type PaletteDialogProps = {title: string; onClose: () => void; children: ReactNode}

/** A modal near the top of the page, on phones all of it. The first field has the focus, and gives it back. */
export function PaletteDialog({title, onClose, children}: PaletteDialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  useCloseRequest(true, onClose)
  useHiddenPage(true)
  useRootMark('overlaid')
  return (
    <OverlayProviders>
      <Dialog.Root
        open
        onOpenChange={(next, {event}) => {
          if (!next && !isOfInputMethod(event)) onClose()
        }}
      >
        <Dialog.Portal>
          <Dialog.Backdrop className={styles.backdrop} />
          <Dialog.Viewport className={styles.paletteViewport}>
            <Dialog.Popup
              ref={popup}
              className={styles.palette}
              // also on touch, where a dialog gets the focus itself: without the keyboard nothing can be searched
              initialFocus={() => popup.current?.querySelector('input') ?? true}
            >
              <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
              {children}
            </Dialog.Popup>
          </Dialog.Viewport>
        </Dialog.Portal>
      </Dialog.Root>
    </OverlayProviders>
  )
}
