import {useEffect, useRef, type RefObject} from 'react'
import {Button} from '#ui/button.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {useText} from '#ui/text.tsx'
import styles from './feed.module.css'

export type OlderProps = {
  /** Older tasks: there may be some; they are on their way; they could not be had. */
  older: 'none' | 'some' | 'loading' | 'failed'
  onOlder: () => void
  /** The element that scrolls: near its end the list asks by itself. Without it only the button does. */
  scroller?: RefObject<HTMLDivElement | null>
}

/** The end of what is known: coming near asks for older tasks, and so does a real button. */
export function Older({older, onOlder, scroller}: OlderProps) {
  const text = useText()
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = end.current
    if (element === null || scroller === undefined || older !== 'some') return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({isIntersecting}) => isIntersecting)) onOlder()
      },
      {root: scroller.current, rootMargin: '600px'},
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [older, onOlder, scroller])
  if (older === 'none') return null
  return (
    <div ref={end} className={styles.older}>
      {older === 'loading' ? (
        <Spinner label={text('common.loading')} />
      ) : (
        <>
          {older === 'failed' && <p role="alert">{text('common.mediaOlderFailed')}</p>}
          <Button onClick={onOlder}>{text(older === 'failed' ? 'common.retry' : 'common.mediaOlder')}</Button>
        </>
      )}
    </div>
  )
}
