import {useEffect, useRef, type FocusEvent} from 'react'
import {createPortal} from 'react-dom'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {forgetFailure} from '#ui/part-words.ts'
import {useText} from '#ui/text.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import styles from './page.module.css'

/** Error messages of browsers, and of Vite for styles, for a file that failed to load. */
const isUnloaded = (error: unknown) => /dynamically imported|module script|Unable to preload/.test(String(error))

/** `React.lazy` keeps a failed load, as do browsers before summer 2026: only a new page loads it. Drafts are stored. */
const loadAgain = () => location.reload()

type CrashProps = {
  error: unknown
  onReload: () => void
  /** Shown above all pages, like the dialog it replaces. */
  floating?: boolean | undefined
  onDismiss?: (() => void) | undefined
}

/** Replaces a part that failed. It asks the browser for the network: the app's actors may be what failed. */
export function Crash({error, onReload, floating, onDismiss}: CrashProps) {
  const text = useText()
  const isMissingFile = isUnloaded(error)
  const {isGone, stack} = Object(error) as {isGone?: boolean; stack?: string} // as: marked by loadPart
  const comesBack = isMissingFile && !isGone
  useEffect(() => {
    // the next view tries anew
    forgetFailure(error)
    if (!comesBack) return
    addEventListener('online', loadAgain)
    return () => removeEventListener('online', loadAgain)
  }, [error, comesBack])
  const origin = useRef<HTMLElement>(null)
  const keepOrigin = ({currentTarget, relatedTarget}: FocusEvent) => {
    // as: what had the focus is an element
    if (!currentTarget.contains(relatedTarget)) origin.current = relatedTarget as HTMLElement | null
  }
  /** The focus goes back to where it was before the card; a field would bring up the keyboard of a touch screen. */
  const dismiss = () => {
    onDismiss?.()
    const target = origin.current ?? document.getElementById('main')
    if (matchMedia(coarsePointer).matches && target?.matches('input, textarea')) return
    target?.focus({preventScroll: true})
  }
  const card = (
    <div className={floating ? styles.floating : styles.centre} role="alert" aria-live="assertive" onFocus={keepOrigin}>
      <p className={styles.line}>{text(comesBack ? 'index.partWaits' : 'index.crash')}</p>
      <div className={styles.actions}>
        <Button onClick={isMissingFile ? loadAgain : onReload}>{text('index.crashReload')}</Button>
        <CopyButton labelled value={() => `${String(error)}\n${stack ?? ''}`} label={text('common.copyDetails')} />
        {onDismiss && (
          <Button variant="ghost" size="sm" onClick={dismiss}>
            {text('common.dismiss')}
          </Button>
        )}
      </div>
    </div>
  )
  // a modal overlay hides what is beside it, but nothing that comes into the body after it, nor what has `aria-live`
  return floating ? createPortal(card, document.body) : card
}
