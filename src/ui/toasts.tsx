import {useEffect, useRef} from 'react'
import {Button} from './button.tsx'
import {AlertIcon, CheckIcon, CloseIcon, InfoIcon} from './icons.tsx'
import {IconButton} from './icon-button.tsx'
import {useText} from './text.tsx'
import styles from './toasts.module.css'

export type Toast = {
  id: string
  tone: 'info' | 'success' | 'error'
  message: string
  /** At most one action (design §10). */
  action?: {label: string; run: () => void}
}

type ToastsProps = {
  toasts: readonly Toast[]
  onDismiss: (id: string) => void
  /** The pointer or focus rests on the stack: deadlines must pause. */
  onHold?: (held: boolean) => void
}

const icons = {info: InfoIcon, success: CheckIcon, error: AlertIcon}

/** The stack of notifications. F6 focuses it from anywhere; the owner removes toasts at their deadlines. */
export function Toasts({toasts, onDismiss, onHold}: ToastsProps) {
  const text = useText()
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.isComposing || region.current?.childElementCount === 0) return
      event.preventDefault()
      region.current?.focus()
    }
    document.addEventListener('keydown', focusRegion)
    return () => document.removeEventListener('keydown', focusRegion)
  }, [])
  return (
    <section
      ref={region}
      className={styles.region}
      aria-label={text('common.notifications')}
      tabIndex={-1}
      onPointerEnter={() => onHold?.(true)}
      onPointerLeave={() => onHold?.(false)}
      onFocus={() => onHold?.(true)}
      onBlur={() => onHold?.(false)}
    >
      {toasts.map((toast) => {
        const ToneIcon = icons[toast.tone]
        return (
          <div
            key={toast.id}
            className={styles.toast}
            data-tone={toast.tone}
            role={toast.tone === 'error' ? 'alert' : 'status'}
          >
            <span className={styles.icon}>
              <ToneIcon />
            </span>
            <p className={styles.message} dir="auto">
              {toast.message}
            </p>
            {toast.action !== undefined && (
              <Button size="sm" variant="ghost" onClick={toast.action.run}>
                {toast.action.label}
              </Button>
            )}
            <IconButton
              size="sm"
              label={text('common.dismiss')}
              icon={<CloseIcon size={14} />}
              onClick={() => onDismiss(toast.id)}
            />
          </div>
        )
      })}
    </section>
  )
}
