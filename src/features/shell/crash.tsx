import {useEffect} from 'react'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {useText} from '#ui/text.tsx'
import styles from './page.module.css'

/** Error messages of browsers, and of Vite for styles, for a file that failed to load. */
const isUnloaded = (error: unknown) =>
  error instanceof Error && /dynamically imported|module script|^Unable to preload/.test(error.message)

type CrashProps = {
  error: unknown
  onReload: () => void
  /** Shown above all pages, like the dialog it replaces. */
  floating?: boolean
}

/** Replaces a part that failed. */
export function Crash({error, onReload, floating = false}: CrashProps) {
  const text = useText()
  const unloaded = isUnloaded(error)
  // browsers cache a failed import, so only a new page can load it; drafts are stored
  const reload = unloaded ? () => location.reload() : onReload
  useEffect(() => {
    if (!unloaded) return
    const again = () => location.reload()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [unloaded])
  const details = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error)
  return (
    <div className={floating ? styles.floating : styles.centre} role="alert">
      <p className={styles.line}>{text(unloaded ? 'index.partWaits' : 'index.crash')}</p>
      <div className={styles.actions}>
        <Button onClick={reload}>{text('index.crashReload')}</Button>
        <CopyButton labelled value={() => details} label={text('common.copyDetails')} />
      </div>
    </div>
  )
}
