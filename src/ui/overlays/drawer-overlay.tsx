import {Drawer} from '@base-ui/react/drawer'
import {classNames} from '../class-names.ts'
import type {DrawerProps} from '../drawer.tsx'
import {useDirection} from '../text.tsx'
import {OverlayProviders} from './overlay-providers.tsx'
import styles from './overlays.module.css'

export function DrawerOverlay({open, onClose, title, side = 'start', hiddenTitle = false, children}: DrawerProps) {
  const start = useDirection() === 'rtl' ? 'right' : 'left'
  return (
    <OverlayProviders>
      <Drawer.Root
        open={open}
        swipeDirection={side === 'bottom' ? 'down' : start}
        onOpenChange={(next) => {
          if (!next) onClose()
        }}
      >
        <Drawer.Portal>
          <Drawer.Backdrop className={styles.backdrop} />
          <Drawer.Viewport className={classNames(styles.drawerViewport, side === 'bottom' && styles.sheetViewport)}>
            <Drawer.Popup className={side === 'bottom' ? styles.sheet : styles.drawer}>
              {side === 'bottom' && <span className={styles.handle} aria-hidden="true" />}
              <Drawer.Content className={styles.drawerContent}>
                <Drawer.Title className={hiddenTitle ? 'visually-hidden' : styles.drawerTitle}>{title}</Drawer.Title>
                {children}
              </Drawer.Content>
            </Drawer.Popup>
          </Drawer.Viewport>
        </Drawer.Portal>
      </Drawer.Root>
    </OverlayProviders>
  )
}
