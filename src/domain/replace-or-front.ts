/** Replaces the item that is the same as `item`, otherwise adds it at the front (spec §4). */
export function replaceOrFront<T>(items: readonly T[], item: T, isSame: (a: T, b: T) => boolean): T[] {
  return items.some((other) => isSame(other, item))
    ? items.map((other) => (isSame(other, item) ? item : other))
    : [item, ...items]
}
