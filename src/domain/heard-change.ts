import {isSameData} from './same-data.ts'

/**
 * The own items after another tab changed its list from `was` to `items`. Only its change counts: what was removed here
 * stays gone, and what was added or edited here meanwhile stays, additions last.
 */
export function afterHeard<Item>(
  own: readonly Item[],
  was: readonly Item[],
  items: readonly Item[],
  nameOf: (item: Item) => string | null | undefined,
): Item[] {
  const find = (list: readonly Item[], item: Item) => list.find((each) => nameOf(each) === nameOf(item))
  return [
    ...items.flatMap((item) => {
      const before = find(was, item)
      const mine = before === undefined ? item : find(own, item)
      return mine === undefined ? [] : [isSameData(before, item) ? mine : item]
    }),
    ...own.filter((item) => find([...items, ...was], item) === undefined),
  ]
}
