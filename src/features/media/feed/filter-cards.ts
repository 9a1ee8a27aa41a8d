import type {Card, CardState} from '#machines/task-list/task-list.selectors.ts'

const busyStates = new Set<CardState>(['sending', 'offline', 'looking', 'queued', 'running', 'checking', 'lost'])
const failedStates = new Set<CardState>(['failed', 'rejected', 'usedUp', 'unsure', 'gone'])

export const isBusy = ({state}: Card) => busyStates.has(state)
export const isFailed = ({state}: Card) => failedStates.has(state)

export type FeedFilter = 'all' | 'busy' | 'failed' | 'favourites'
/** `marked`: ids of the tasks of which something is a favourite. */
export function filterCards(
  cards: readonly Card[],
  filter: FeedFilter,
  favourites: ReadonlySet<string>,
): readonly Card[] {
  if (filter === 'all') return cards
  if (filter === 'favourites') return cards.filter(({id}) => id !== undefined && favourites.has(id))
  return cards.filter(filter === 'busy' ? isBusy : isFailed)
}
