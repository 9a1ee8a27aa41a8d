/**
 * Holds the items that arrive at a double of the outside world, one after the other: each is taken once, now or when it
 * comes.
 */
export function createArrivals<Item>() {
  const items: Item[] = []
  const waiting: ((item: Item) => void)[] = []
  return {
    arrive: (item: Item) => {
      const take = waiting.shift()
      if (take) take(item)
      else items.push(item)
    },
    /** The next that arrives, or the first that nobody took yet. */
    next: (): Promise<Item> => {
      const item = items.shift()
      return item ? Promise.resolve(item) : new Promise((resolve) => waiting.push(resolve))
    },
    isEmpty: () => items.length === 0,
  }
}
