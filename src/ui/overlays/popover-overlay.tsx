import {Popover} from '@base-ui/react/popover'
import {useEffectEvent, useLayoutEffect, useRef, type ReactNode, type RefObject} from 'react'
import {isOfInputMethod} from '../is-composing.ts'
import {classNames} from '../class-names.ts'
import {isOnTrigger} from '../use-overlay.ts'
import {coarsePointer} from '../use-media-query.ts'
import {useRootMark} from '../use-root-mark.ts'
import {hasFocusMoved} from './has-focus-moved.ts'
import {OverlayProviders} from './overlay-providers.tsx'
import styles from './overlays.module.css'
import {useCloseRequest} from './use-close-request.ts'

type PopoverOverlayProps = {
  label: string
  align: 'start' | 'end'
  open: boolean
  onClose: () => void
  anchor: RefObject<HTMLButtonElement | null>
  /** The content has its own padding, and scrolls by itself. */
  isFlush?: boolean
  children: ReactNode
}

/**
 * The palette opens a popover from where the focus was. What stands in another overlay, or is gone, cannot have it back;
 * a field would bring up the keyboard of a touch screen.
 */
const canHaveBack = (element: HTMLElement) =>
  element.isConnected &&
  element !== document.body &&
  element.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') === null &&
  !(matchMedia(coarsePointer).matches && element.matches('input, textarea'))

export function PopoverOverlay({label, align, open, onClose, anchor, isFlush = false, children}: PopoverOverlayProps) {
  useCloseRequest(open, onClose)
  useRootMark('menus', open)
  const before = useRef<Element>(null)
  const firstFocus = () => {
    before.current = document.activeElement
    return true
  }
  const lastFocus = () => {
    const {current} = before
    return current instanceof HTMLElement && canHaveBack(current) ? current : anchor.current
  }
  const popup = useRef<HTMLDivElement>(null)
  const giveBack = useEffectEvent(() => {
    if (popup.current?.contains(document.activeElement)) lastFocus()?.focus({preventScroll: true})
  })
  // what is typed while it fades out is not for it
  useLayoutEffect(() => {
    if (!open) giveBack()
  }, [open])
  return (
    <OverlayProviders>
      <Popover.Root
        open={open}
        onOpenChange={(next, details) => {
          if (!next && !isOnTrigger(details.event, anchor) && !isOfInputMethod(details.event)) onClose()
        }}
      >
        <Popover.Portal>
          <Popover.Positioner anchor={anchor} side="bottom" align={align} sideOffset={6} className={styles.positioner}>
            <Popover.Popup
              ref={popup}
              className={classNames(styles.popover, isFlush && styles.flush)}
              aria-label={label}
              initialFocus={firstFocus}
              finalFocus={() => (hasFocusMoved() ? false : lastFocus())}
            >
              {children}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </OverlayProviders>
  )
}
