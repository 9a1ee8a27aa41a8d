import {useEffect} from 'react'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {useText} from '#ui/text.tsx'
import styles from './page.module.css'

/** How browsers, and Vite for styles, say that a file of a part could not be loaded. */
const isUnloaded = (error: unknown) =>
  error instanceof Error && /dynamically imported|module script|^Unable to preload/.test(error.message)

type CrashProps = {
  error: unknown
  onReload: () => void
  /** The part stands above all pages, as dialogs do: so does this. */
  floating?: boolean
}

/** What stands in place of a part that failed. */
export function Crash({error, onReload, floating = false}: CrashProps) {
  const text = useText()
  const unloaded = isUnloaded(error)
  // a file that could not be had is remembered as that: only a new page asks for it again, with the drafts it kept
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
