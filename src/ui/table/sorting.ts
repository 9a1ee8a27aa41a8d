export type Sort = {key: string; direction: 'ascending' | 'descending'}

/** A column by which rows can be put in order. */
export type SortKey<Key extends string = string> = {
  key: Key
  /** The kind of compared values, by which a phone names its directions. `created`: when the row came to be. */
  kind: 'amount' | 'created' | 'time'
  /** Direction of the first press; amounts begin with the highest, times with the latest. */
  first?: Sort['direction']
}

/** The order of rows, and the way to another. `initial`: the order of a list until the user chooses one. */
export type Sorting = {sort: Sort; initial: Sort; onSort: (sort: Sort) => void}

/** A press on the heading of a column: its first direction, then the other one, then the initial order again. */
export function nextSort(
  {sort, initial}: Pick<Sorting, 'sort' | 'initial'>,
  {key, first = 'descending'}: SortKey,
): Sort {
  if (sort.key !== key) return {key, direction: first}
  if (sort.direction === first) return {key, direction: first === 'descending' ? 'ascending' : 'descending'}
  return initial.key === key ? {key, direction: first} : initial
}
