import {useSyncExternalStore} from 'react'
import {useText} from '#ui/text.tsx'
import styles from './order-view.module.css'

const eachSecond = (onTick: () => void) => {
  const timer = setInterval(onTick, 1_000)
  return () => clearInterval(timer)
}
const secondsNow = () => Math.floor(Date.now() / 1_000)

/**
 * How long an order can still be paid, by the clock of the browser; nothing once that is over: the server decides. Its minutes
 * are not spoken as they pass.
 */
export function TimeLeft({until}: {until: string}) {
  const text = useText()
  const left = useSyncExternalStore(eachSecond, () => Math.floor((Date.parse(until) / 1_000 - secondsNow()) / 60))
  // an end that cannot be read is none
  return left >= 0 ? (
    <p className={styles.fine} aria-live="off">
      {text('order.minutesLeft', {count: left})}
    </p>
  ) : null
}
