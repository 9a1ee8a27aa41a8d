import type {Page} from '@playwright/test'

const shortest = 8_000

/**
 * Holds delays of eight seconds or more, as of an undo or a call's deadline, from the next page load on: they end when
 * the test says so.
 * @param shorter other delays that are held, in milliseconds
 */
export const holdDelays = (page: Page, shorter: readonly number[] = []): Promise<unknown> =>
  page.addInitScript(
    ({least, others}) => {
      const begin = window.setTimeout.bind(window)
      const clear = window.clearTimeout.bind(window)
      const held = new Map<number, {delay: number; end: () => void}>()
      const ends = (delay: number) => {
        const due = [...held].filter(([, each]) => each.delay === delay)
        for (const [id, {end}] of due) {
          held.delete(id)
          end()
        }
        return due.length
      }
      Object.assign(window, {
        heldDelays: {ends},
        setTimeout: (handler: TimerHandler, delay = 0, ...rest: unknown[]) => {
          if ((delay < least && !others.includes(delay)) || typeof handler !== 'function')
            return begin(handler, delay, ...rest)
          // the number alone: it never ends
          const id = begin(() => undefined, 2 ** 31 - 1)
          held.set(id, {delay, end: () => void handler(...rest)})
          return id
        },
        clearTimeout: (id?: number) => {
          if (id !== undefined) held.delete(id)
          clear(id)
        },
      })
    },
    {least: shortest, others: shorter},
  )

/** The held delays of so many milliseconds end; answers with how many there were. */
export const endDelays = (page: Page, delay: number): Promise<number> =>
  page.evaluate(
    // as: `holdDelays` put it there
    (given) => (window as unknown as {heldDelays: {ends: (delay: number) => number}}).heldDelays.ends(given),
    delay,
  )
