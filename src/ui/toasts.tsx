import {useEffect, useEffectEvent, useRef, useSyncExternalStore, type FocusEvent, type RefObject} from 'react'
import {createPortal} from 'react-dom'
import {Button} from './button.tsx'
import {AlertIcon, CheckIcon, CloseIcon, InfoIcon} from './icons.tsx'
import {IconButton} from './icon-button.tsx'
import {useText} from './text.tsx'
import styles from './toasts.module.css'

export type Toast = {
  id: string
  tone: 'info' | 'success' | 'error'
  message: string
  /** At most one action (design §10). `isLink`: it leads to another page, which takes the focus. */
  action?: {label: string; run: () => void; isLink?: boolean}
}

type ToastsProps = {
  toasts: readonly Toast[]
  onDismiss: (id: string) => void
  /** Deadlines begin anew when neither the pointer nor the focus is on the stack any more, nor a menu before it. */
  onRest?: (event: {type: `${'pointer' | 'focus'}.${'entered' | 'left'}`}) => void
}

const icons = {info: InfoIcon, success: CheckIcon, error: AlertIcon}

/** F6 focuses the stack from anywhere, while there is a toast. */
function useFocusKey(region: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.isComposing || region.current?.childElementCount === 0) return
      event.preventDefault()
      region.current?.focus()
    }
    document.addEventListener('keydown', focusRegion)
    return () => document.removeEventListener('keydown', focusRegion)
  }, [region])
}

/** The head of a page on a phone stays free, also below the line that says that there is no network. */
function useHeadEnd(region: RefObject<HTMLElement | null>, hasToasts: boolean) {
  useEffect(() => {
    const content = document.getElementById('main')
    if (!hasToasts || content === null) return
    const measure = () => region.current?.style.setProperty('--head-end', `${content.getBoundingClientRect().top}px`)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(content)
    return () => observer.disconnect()
  }, [region, hasToasts])
}

const followMenus = (onChange: () => void) => {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, {attributeFilter: ['data-menus']})
  return () => observer.disconnect()
}

/** A menu may lie before the stack: until it closes that counts as the pointer on it, also for what comes meanwhile. */
function useMenus(region: RefObject<HTMLElement | null>, onRest: ToastsProps['onRest']) {
  const isCovered = useSyncExternalStore(followMenus, () => document.documentElement.dataset.menus !== undefined)
  const uncover = useEffectEvent(() => {
    // asked of the browser: a toast that goes under the pointer takes it away without an event in some of them
    if (region.current?.matches(':hover') !== true) onRest?.({type: 'pointer.left'})
  })
  useEffect(() => {
    if (isCovered) onRest?.({type: 'pointer.entered'})
  })
  useEffect(() => (isCovered ? () => uncover() : undefined), [isCovered])
  return isCovered
}

/**
 * Says when the focus comes to the stack and leaves it. With a toast that its owner removes the focus goes to where it
 * was before, and no event of the browser says so.
 * @param origin had the focus before the stack
 */
function useRest(
  region: RefObject<HTMLElement | null>,
  origin: RefObject<HTMLElement | null>,
  {toasts, onRest}: ToastsProps,
) {
  const hasFocus = useRef(false)
  const isCovered = useMenus(region, onRest)
  useEffect(() => {
    if (!hasFocus.current || region.current?.contains(document.activeElement) === true) return
    hasFocus.current = false
    onRest?.({type: 'focus.left'})
    origin.current?.focus({preventScroll: true})
  }, [region, origin, toasts, onRest])
  const isInside = (element: Element | null) => region.current?.contains(element) === true
  return {
    onPointerEnter: () => onRest?.({type: 'pointer.entered'}),
    onPointerLeave: () => {
      if (!isCovered) onRest?.({type: 'pointer.left'})
    },
    onFocus: ({relatedTarget}: FocusEvent) => {
      if (isInside(relatedTarget)) return
      origin.current = relatedTarget instanceof HTMLElement ? relatedTarget : null
      hasFocus.current = true
      onRest?.({type: 'focus.entered'})
    },
    onBlur: ({relatedTarget}: FocusEvent) => {
      if (isInside(relatedTarget)) return
      hasFocus.current = false
      onRest?.({type: 'focus.left'})
    },
  }
}

/**
 * The stack of notifications. F6 focuses it from anywhere, also from a modal overlay: these hide what is beside them
 * from screen readers, but nothing that comes into the body after them, nor what has `aria-live`. The owner removes
 * toasts at their deadlines.
 */
export function Toasts(props: ToastsProps) {
  const {toasts, onDismiss} = props
  const text = useText()
  const region = useRef<HTMLElement>(null)
  const origin = useRef<HTMLElement>(null)
  useFocusKey(region)
  useHeadEnd(region, toasts.length > 0)
  const rest = useRest(region, origin, props)
  /** Before a toast goes with the control in it that has the focus: keys go on where they were. */
  const leave = (isLink = false) => {
    const control = region.current?.querySelector<HTMLElement>(':focus')
    const isByKeys = control?.matches(':focus-visible') === true
    control?.blur()
    if (isByKeys && !isLink) origin.current?.focus({preventScroll: true})
  }
  return createPortal(
    <section
      ref={region}
      className={styles.region}
      aria-label={text('common.notifications')}
      // each toast announces itself
      aria-live="off"
      tabIndex={-1}
      {...rest}
    >
      {toasts.map((toast) => (
        <ToastBox key={toast.id} toast={toast} onLeave={leave} onDismiss={() => onDismiss(toast.id)} />
      ))}
    </section>,
    document.body,
  )
}

type ToastBoxProps = {toast: Toast; onLeave: (isLink?: boolean) => void; onDismiss: () => void}

function ToastBox({toast: {tone, message, action}, onLeave, onDismiss}: ToastBoxProps) {
  const text = useText()
  const ToneIcon = icons[tone]
  return (
    <div className={styles.toast} data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      <span className={styles.icon}>
        <ToneIcon />
      </span>
      <p className={styles.message} dir="auto">
        {message}
      </p>
      {action !== undefined && (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            onLeave(action.isLink)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton
        size="sm"
        label={text('common.dismiss')}
        icon={<CloseIcon size={14} />}
        onClick={() => {
          onLeave()
          onDismiss()
        }}
      />
    </div>
  )
}
