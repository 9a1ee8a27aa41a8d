import {Drawer} from '@base-ui/react/drawer'
import {useRef, type ReactNode} from 'react'
import {isOfInputMethod} from '../is-composing.ts'
import {classNames} from '../class-names.ts'
import {useDirection} from '../text.tsx'
import {useRootMark} from '../use-root-mark.ts'
import styles from './drawer-overlay.module.css'
import {OverlayProviders} from './overlay-providers.tsx'
import overlays from './overlays.module.css'
import {useCloseRequest} from './use-close-request.ts'
import {useHiddenPage} from './use-hidden-page.ts'

const viewports = {start: undefined, end: styles.endViewport, bottom: styles.sheetViewport}
const popups = {start: styles.drawer, end: classNames(styles.drawer, styles.endDrawer), bottom: styles.sheet}

export type DrawerProps = {
  open: boolean
  onClose: () => void
  title: string
  /** `start` and `end` slide in from that side; `bottom` is a sheet. */
  side?: 'start' | 'end' | 'bottom'
  /** The content has its own visible heading. */
  hiddenTitle?: boolean
  /** The panel itself gets the focus, so that a field in it does not open the keyboard of a phone. */
  isQuiet?: boolean
  children?: ReactNode
}

export function DrawerOverlay({
  open,
  onClose,
  title,
  side = 'start',
  hiddenTitle = false,
  isQuiet = false,
  children,
}: DrawerProps) {
  const popup = useRef<HTMLDivElement>(null)
  useCloseRequest(open, onClose)
  useHiddenPage(open)
  useRootMark('overlaid', open && side !== 'bottom')
  const isAtLeft = (side === 'end') === (useDirection() === 'rtl')
  return (
    <OverlayProviders>
      <Drawer.Root
        open={open}
        swipeDirection={side === 'bottom' ? 'down' : isAtLeft ? 'left' : 'right'}
        onOpenChange={(next, {event}) => {
          if (!next && !isOfInputMethod(event)) onClose()
        }}
      >
        <Drawer.Portal>
          <Drawer.Backdrop className={overlays.backdrop} />
          <Drawer.Viewport className={classNames(styles.viewport, viewports[side])}>
            <Drawer.Popup ref={popup} className={popups[side]} initialFocus={isQuiet ? popup : true}>
              {side === 'bottom' && <span className={styles.handle} aria-hidden="true" />}
              <Drawer.Content className={styles.content}>
                <Drawer.Title className={hiddenTitle ? 'visually-hidden' : styles.title}>{title}</Drawer.Title>
                {children}
              </Drawer.Content>
            </Drawer.Popup>
          </Drawer.Viewport>
        </Drawer.Portal>
      </Drawer.Root>
    </OverlayProviders>
  )
}
