/** By what a list is sorted: a key of its rows on the wire, and a direction. */
export type ListSort = {key: string; direction: 'ascending' | 'descending'}

/** The sort of every list until the user chooses another (contract/platform §1). */
export const newestFirst = {key: 'created_at', direction: 'descending'} as const satisfies ListSort

/** As requests and addresses name it in `ordering`: `price`, descending `-price`. */
export const sortText = ({key, direction}: ListSort): string => (direction === 'descending' ? `-${key}` : key)

/** The sort that an address names, if it is one of the list's; else the newest first. */
export function sortOf(text: string | undefined, keys: readonly string[]): ListSort {
  const key = keys.find((each) => each === text?.replace(/^-/, ''))
  if (key === undefined) return newestFirst
  return {key, direction: text?.startsWith('-') === true ? 'descending' : 'ascending'}
}
