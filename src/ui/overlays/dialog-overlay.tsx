import {Dialog} from '@base-ui/react/dialog'
import {useRef, type ReactNode} from 'react'
import {isOfInputMethod} from '../is-composing.ts'
import {Button} from '../button.tsx'
import {classNames} from '../class-names.ts'
import {IconButton} from '../icon-button.tsx'
import {CloseIcon} from '../icons.tsx'
import {useText} from '../text.tsx'
import {hasFocusMoved} from './has-focus-moved.ts'
import {OverlayProviders} from './overlay-providers.tsx'
import styles from './overlays.module.css'
import {useCloseRequest} from './use-close-request.ts'
import {useHiddenPage} from './use-hidden-page.ts'

export type DialogOverlayProps = {
  open: boolean
  title: string
  description?: string
  /** Without it the user cannot close the dialog: no close button, no Esc, no press outside. */
  onClose?: () => void
  /** In CSS pixels; phones use the full width. */
  width?: number
  /** The content is enough for the whole page of a phone. */
  fillsPhone?: boolean
  /** Hides the title; screen readers still read it. */
  hiddenTitle?: boolean
  children?: ReactNode
  /** Buttons at the foot, the primary one last. */
  actions?: ReactNode
  /** Has a button before these that closes the dialog. */
  cancel?: 'offered' | 'disabled' | undefined
}

/** Below the head. */
const contentControl =
  ':scope > :not(:first-child) :is(a[href], button:not(:disabled), input, textarea, select):not([tabindex="-1"], [hidden])'

export function DialogOverlay({
  open,
  title,
  description,
  onClose,
  width = 480,
  fillsPhone = false,
  hiddenTitle = false,
  children,
  actions,
  cancel,
}: DialogOverlayProps) {
  const text = useText()
  useCloseRequest(open, onClose)
  useHiddenPage(open)
  const foot = useRef<HTMLDivElement>(null)
  const opener = useRef<Element>(null)
  const popup = useRef<HTMLDivElement>(null)
  // the field that is to be filled in, else the dialog's action, else the first control that is not its close button
  const firstFocus = (way: string) => {
    opener.current = document.activeElement
    const field = popup.current?.querySelector<HTMLElement>('[data-first-focus]')
    const action = field ?? foot.current?.querySelector<HTMLElement>('button:last-of-type:not(:disabled)')
    if (action) return action
    // a touch would open the keyboard
    if (way === 'touch') return true
    return popup.current?.querySelector<HTMLElement>(contentControl) ?? true
  }
  const lastFocus = () => {
    if (hasFocusMoved()) return false
    // what opened the dialog may be gone with what the dialog removed
    return opener.current?.isConnected === false ? document.querySelector<HTMLElement>('h1[tabindex]') : true
  }
  return (
    <OverlayProviders>
      <Dialog.Root
        open={open}
        disablePointerDismissal={onClose === undefined}
        onOpenChange={(next, {event}) => {
          if (!next && !isOfInputMethod(event)) onClose?.()
        }}
      >
        <Dialog.Portal>
          <Dialog.Backdrop className={styles.backdrop} />
          <Dialog.Viewport className={styles.dialogViewport}>
            <Dialog.Popup
              ref={popup}
              className={classNames(styles.dialog, fillsPhone && styles.fillsPhone)}
              style={{maxInlineSize: width}}
              initialFocus={firstFocus}
              finalFocus={lastFocus}
            >
              <div className={hiddenTitle ? styles.dialogHeadEmpty : styles.dialogHead}>
                <Dialog.Title className={hiddenTitle ? 'visually-hidden' : styles.dialogTitle}>{title}</Dialog.Title>
                {onClose !== undefined && (
                  <IconButton label={text('common.close')} size="sm" icon={<CloseIcon />} onClick={onClose} />
                )}
              </div>
              {description !== undefined && (
                <Dialog.Description className={styles.dialogDescription}>{description}</Dialog.Description>
              )}
              {children}
              {actions !== undefined && (
                <div ref={foot} className={styles.dialogActions}>
                  {cancel !== undefined && (
                    <Button variant="ghost" disabled={cancel === 'disabled'} onClick={onClose}>
                      {text('common.cancel')}
                    </Button>
                  )}
                  {actions}
                </div>
              )}
            </Dialog.Popup>
          </Dialog.Viewport>
        </Dialog.Portal>
      </Dialog.Root>
    </OverlayProviders>
  )
}
