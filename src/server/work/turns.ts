import type {Timers} from '../providers/timers.ts'

/** Work of many keys that begins in the order in which it comes: some of it at once, and of one key no more than its share. */
export type Turns = {
  /** Does `work` when its turn has come. Rejects with what `overdue` makes when that took too long: it has not begun then. */
  take: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Refuses all that has not begun. */
  refuse: (error: Error) => void
}

export type TurnsParts = {
  timers: Timers
  atOnce: number
  ofOneKey: number
  longestMilliseconds: number
  overdue: () => Error
}

type Waiting = {begin: () => void; refuse: (error: Error) => void}

/** One of each key in a round, so that the long line of one key does not hold up the others. */
export function createTurns({timers, atOnce, ofOneKey, longestMilliseconds, overdue}: TurnsParts): Turns {
  const lines = new Map<string, Waiting[]>()
  const busy = new Map<string, number>()
  let taken = 0

  const hasRoom = (key: string) => taken < atOnce && (busy.get(key) ?? 0) < ofOneKey
  const count = (key: string, by: 1 | -1) => {
    taken += by
    const ofKey = (busy.get(key) ?? 0) + by
    if (ofKey === 0) busy.delete(key)
    else busy.set(key, ofKey)
  }

  /** The line of a key that had its turn goes behind the others. */
  const beginNext = () => {
    for (const [key, line] of lines) {
      if (!hasRoom(key)) continue
      lines.delete(key)
      const first = line.shift()
      if (line.length > 0) lines.set(key, line)
      return first?.begin()
    }
  }

  const takePlace = (key: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const line = lines.get(key) ?? []
      const waiting = {
        begin: () => {
          stopWaiting()
          count(key, 1)
          resolve()
        },
        refuse: (error: Error) => {
          stopWaiting()
          reject(error)
        },
      }
      const stopWaiting = timers.after(longestMilliseconds, () => {
        line.splice(line.indexOf(waiting), 1)
        if (line.length === 0) lines.delete(key)
        reject(overdue())
      })
      line.push(waiting)
      lines.set(key, line)
    })

  return {
    take: async (key, work) => {
      if (hasRoom(key)) count(key, 1)
      else await takePlace(key)
      try {
        return await work()
      } finally {
        count(key, -1)
        beginNext()
      }
    },
    refuse: (error) => {
      const all = [...lines.values()].flat()
      lines.clear()
      for (const {refuse} of all) refuse(error)
    },
  }
}
