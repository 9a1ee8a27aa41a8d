import {z} from '#contract/schema.ts'

export type LeaseOptions = {
  storage: Storage | undefined
  /** Unix milliseconds; all tabs of a browser share this clock. */
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
  createId: () => string
}

const lease = z.object({owner: z.string(), until: z.number()})

/**
 * A lease of one tab, in local storage under `key`, for `life` milliseconds at a time. Where storage is forbidden or
 * full nothing is written, and nobody holds it.
 */
export function createLease({storage, now, createId}: LeaseOptions, key: string, life: number) {
  const owner = createId()
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action()
    } catch {
      return undefined
    }
  }
  const read = () => attempt(() => lease.safeParse(JSON.parse(storage?.getItem(key) ?? 'null')).data)
  const isOurs = () => read()?.owner === owner
  return {
    isOurs,
    /** Another tab holds it, and its time is not over. */
    isTaken: () => (read()?.until ?? 0) > now() && !isOurs(),
    /** Takes or renews it; false where it could not be written. */
    take: () =>
      attempt(() => {
        storage?.setItem(key, JSON.stringify({owner, until: now() + life}))
        return storage !== undefined
      }) === true,
    release: () => {
      if (isOurs()) attempt(() => storage?.removeItem(key))
    },
  }
}
