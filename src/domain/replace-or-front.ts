/** Replaces the item that equals `item`, or adds it at the front (spec §4). The result contains it once. */
export function replaceOrFront<T>(items: readonly T[], item: T, isSame: (a: T, b: T) => boolean): T[] {
  const firstIndex = items.findIndex((other) => isSame(other, item))
  if (firstIndex === -1) return [item, ...items]
  return items.flatMap((other, index) => (index === firstIndex ? [item] : isSame(other, item) ? [] : [other]))
}
