import type {Timers} from '../providers/timers.ts'

/** Work of many keys that begins in its order: some at once, and of one key no more than its share. */
export type Turns = {
  /**
   * Does `work` when its turn has come. Rejects with what `overdue` makes when that took too long, and with what `left`
   * makes when `signal` aborts before: it has not begun then. What has begun is not ended by `signal`.
   */
  take: <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>
  /** Refuses all that has not begun, and from now on what would have to wait. */
  refuse: (error: Error) => void
}

export type TurnsParts = {
  timers: Timers
  atOnce: number
  ofOneKey: number
  longestMilliseconds: number
  overdue: () => Error
  left: (reason: unknown) => Error
  /** Whether work failed for want of what all work needs. */
  isAway: (error: unknown) => boolean
}

type Waiting = {begin: () => void; refuse: (error: Error) => void}

/** Until it begins or is refused. `enter` puts it where it waits, and returns the way to take it out. */
const waitIn = (
  {timers, longestMilliseconds, overdue, left}: TurnsParts,
  signal: AbortSignal | undefined,
  enter: (waiting: Waiting) => () => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const stopWaiting = () => {
      stopTimer()
      signal?.removeEventListener('abort', onLeft)
    }
    const refuse = (error: Error) => {
      stopWaiting()
      reject(error)
    }
    const giveUp = (error: Error) => {
      takeOut()
      refuse(error)
    }
    const onLeft = () => giveUp(left(signal?.reason))
    const stopTimer = timers.after(longestMilliseconds, () => giveUp(overdue()))
    signal?.addEventListener('abort', onLeft)
    const begin = () => {
      stopWaiting()
      resolve()
    }
    const takeOut = enter({begin, refuse})
  })

/** One of each key in a round, so that the long queue of one key does not hold up the others. */
export function createTurns(parts: TurnsParts): Turns {
  const {atOnce, ofOneKey, left, isAway} = parts
  const queues = new Map<string, Waiting[]>()
  const busy = new Map<string, number>()
  let takenSlots = 0
  let ending: Error | undefined
  /** Failures one after the other, with nothing between them that was not away. */
  let awayInRow = 0

  const hasRoom = (key: string) => takenSlots < atOnce && (busy.get(key) ?? 0) < ofOneKey
  const count = (key: string, by: 1 | -1) => {
    takenSlots += by
    const ofKey = (busy.get(key) ?? 0) + by
    if (ofKey === 0) busy.delete(key)
    else busy.set(key, ofKey)
  }

  /** The queue of a key that had its turn goes behind the others. */
  const beginNext = () => {
    for (const [key, queue] of queues) {
      if (!hasRoom(key)) continue
      queues.delete(key)
      const first = queue.shift()
      if (queue.length > 0) queues.set(key, queue)
      count(key, 1)
      return first?.begin()
    }
  }

  const refuseWaiting = (error: Error) => {
    const all = [...queues.values()].flat()
    queues.clear()
    for (const {refuse} of all) refuse(error)
  }

  const enter = (key: string) => (waiting: Waiting) => {
    const queue = queues.get(key) ?? []
    queue.push(waiting)
    queues.set(key, queue)
    return () => {
      queue.splice(queue.indexOf(waiting), 1)
      if (queue.length === 0) queues.delete(key)
    }
  }

  return {
    take: async (key, work, signal) => {
      if (signal?.aborted === true) throw left(signal.reason)
      if (hasRoom(key)) count(key, 1)
      else {
        if (ending !== undefined) throw ending
        await waitIn(parts, signal, enter(key))
      }
      try {
        const result = await work()
        awayInRow = 0
        return result
      } catch (error) {
        awayInRow = isAway(error) ? awayInRow + 1 : 0
        // the rest would fail the same way, each as slowly
        if (error instanceof Error && awayInRow >= ofOneKey) refuseWaiting(error)
        throw error
      } finally {
        count(key, -1)
        beginNext()
      }
    },
    refuse: (error) => {
      ending = error
      refuseWaiting(error)
    },
  }
}
