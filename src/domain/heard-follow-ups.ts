import type {Ask} from './conversation.ts'
import {isSameData} from './same-data.ts'

const findAsk = (asks: readonly Ask[], {key}: Ask) => asks.find((ask) => ask.key === key)

/**
 * The own questions that wait, after another tab changed its list from `was` to `items`. Only its change counts: what
 * was sent or removed here stays gone, and what was added or edited here meanwhile stays, additions last.
 */
export const afterHeard = (own: readonly Ask[], was: readonly Ask[], items: readonly Ask[]): Ask[] => [
  ...items.flatMap((ask) => {
    const before = findAsk(was, ask)
    const mine = before ? findAsk(own, ask) : ask
    return mine ? [isSameData(before, ask) ? mine : ask] : []
  }),
  ...own.filter((ask) => !findAsk([...items, ...was], ask)),
]
