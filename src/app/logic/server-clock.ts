/** Differences below this are the precision of the header and the way of the answer. */
const tolerance = 3_000

/**
 * The server's clock, as its answers tell it (security R51): a browser's may be a day off, and the age of a task or the
 * end of an order, and the order of messages from two devices, must not depend on it. Until an answer came, the
 * browser's own.
 */
export function createServerClock(now: () => number) {
  let offset = 0
  let isKnown = false
  return {
    /** The `Date` header of an answer that just came. */
    observe(date: string | null) {
      const serverTime = date === null ? Number.NaN : Date.parse(date)
      if (Number.isNaN(serverTime)) return
      isKnown = true
      const difference = serverTime - now()
      offset = Math.abs(difference) < tolerance ? 0 : difference
    },
    /** An answer told the time; a server of another origin may hide it. */
    isKnown: () => isKnown,
    /** Unix seconds. */
    now: () => (now() + offset) / 1000,
  }
}
export type ServerClock = ReturnType<typeof createServerClock>

/** `fetch` that reads the clock off every answer. */
export const observed =
  (fetch: typeof globalThis.fetch, clock: ServerClock): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    clock.observe(response.headers.get('date'))
    return response
  }
