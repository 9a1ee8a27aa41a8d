import {useEffect, useState} from 'react'
import {beginThought, endThought, hasSpan, spanSeconds, storedSeconds} from './thought-times.ts'

/** `performance.now()`, read each second while `isRunning`; then the last reading. */
function useSecondClock(isRunning: boolean): number | undefined {
  const [now, setNow] = useState<number>()
  useEffect(() => {
    if (!isRunning) return
    const tick = () => setNow(performance.now())
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

/**
 * Seconds that a thought takes, counted each second while it grows, or took. `undefined`: this tab did not see both its
 * begin and its end. `isNew`: so little of it is there that it has just begun.
 */
export function useThoughtSeconds(key: string | undefined, growing: boolean, isNew: boolean): number | undefined {
  const [before] = useState(() => (growing || key === undefined ? undefined : storedSeconds(key)))
  // a thought that ends while no view shows it has no time
  const [grownKey, setGrownKey] = useState(growing ? key : undefined)
  if (growing && grownKey !== key) setGrownKey(key)
  useEffect(() => {
    if (key === undefined) return
    if (growing && isNew) beginThought(key)
    if (!growing && grownKey === key) endThought(key)
  }, [key, growing, isNew, grownKey])
  const now = useSecondClock(growing && key !== undefined && (isNew || hasSpan(key)))
  const seconds = key === undefined ? undefined : spanSeconds(key, now)
  return seconds ?? before
}
