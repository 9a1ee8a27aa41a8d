import {useSyncExternalStore} from 'react'
import {useText} from '#ui/text.tsx'
import styles from './order-view.module.css'

const eachSecond = (onTick: () => void) => {
  const timer = setInterval(onTick, 1_000)
  return () => clearInterval(timer)
}

/**
 * How long an order can still be paid; nothing once that is over: the server decides. Its minutes are not spoken as
 * they pass. `now` is the server's time in milliseconds.
 */
export function TimeLeft({until, now}: {until: string; now: () => number}) {
  const text = useText()
  const minutes = useSyncExternalStore(eachSecond, () => Math.floor((Date.parse(until) - now()) / 60_000))
  // an end that cannot be read is none
  return minutes >= 0 ? (
    <p className={styles.fine} aria-live="off">
      {text('order.minutesLeft', {count: minutes})}
    </p>
  ) : null
}
