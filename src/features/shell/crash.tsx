import {useEffect} from 'react'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {forgetFailure} from '#ui/part-words.ts'
import {useText} from '#ui/text.tsx'
import styles from './page.module.css'

/** Error messages of browsers, and of Vite for styles, for a file that failed to load. */
const isUnloaded = (error: unknown) => /dynamically imported|module script|Unable to preload/.test(String(error))

/** `React.lazy` keeps a failed load, as do browsers before summer 2026: only a new page loads it. Drafts are stored. */
const loadAgain = () => location.reload()

type CrashProps = {
  error: unknown
  onReload: () => void
  /** Shown above all pages, like the dialog it replaces. */
  floating?: boolean
  onDismiss?: () => void
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
  return (
    <div className={floating ? styles.floating : styles.centre} role="alert">
      <p className={styles.line}>{text(comesBack ? 'index.partWaits' : 'index.crash')}</p>
      <div className={styles.actions}>
        <Button onClick={isMissingFile ? loadAgain : onReload}>{text('index.crashReload')}</Button>
        <CopyButton labelled value={() => `${String(error)}\n${stack ?? ''}`} label={text('common.copyDetails')} />
        {onDismiss && (
          <Button variant="ghost" size="sm" onClick={onDismiss}>
            {text('common.dismiss')}
          </Button>
        )}
      </div>
    </div>
  )
}
