import type {SelectionContext} from './selection.types.ts'

export const toggled = (chosen: readonly string[], id: string): string[] =>
  chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]

/** With all between the anchor and this one, on the way from the one to the other; alone where the anchor is not shown. */
export function chosenUpTo(
  chosen: readonly string[],
  anchor: string | undefined,
  id: string,
  order: readonly string[],
): string[] {
  const to = order.indexOf(id)
  const from = anchor === undefined || !chosen.includes(anchor) ? to : order.indexOf(anchor)
  if (to === -1) return [...chosen]
  const range = from === -1 ? [id] : from <= to ? order.slice(from, to + 1) : order.slice(to, from + 1).toReversed()
  return [...new Set([...chosen, ...range])]
}

/** Without the tasks that are gone. */
export function listedAmong({chosen, anchor}: SelectionContext, ids: readonly string[]) {
  const listed = new Set(ids)
  const isSame = chosen.every((id) => listed.has(id))
  return {
    chosen: isSame ? chosen : chosen.filter((id) => listed.has(id)),
    anchor: anchor !== undefined && listed.has(anchor) ? anchor : undefined,
  }
}
