import type {KeyboardEvent} from 'react'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {isComposing} from '#ui/is-composing.ts'
import {pickByKey} from '../select/use-pick.ts'
import type {ChooseBy} from '../select/use-selection.ts'
import type {CardCommands} from './card-commands.ts'

type CardKeys = {
  card: Card
  commands: Pick<CardCommands, 'choose' | 'discard' | 'remove' | 'reuse'>
  isSelecting: boolean
  /** The other keys, by `event.key` in lower case. */
  keys: Readonly<Record<string, () => void>>
}

/**
 * Keys of a focused card (design.md §8). While several cards are being chosen, they choose alone. A key that is pressed
 * on a control inside the card is not meant for the card.
 */
export function pressCard(event: KeyboardEvent<HTMLElement>, {card, commands, isSelecting, keys}: CardKeys) {
  if (event.target !== event.currentTarget || isComposing(event)) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (pickByKey(event, {isSelecting, choose: (by: ChooseBy) => commands.choose(card, by)})) return
  const acts: Partial<Record<string, () => void>> = {
    r: () => commands.reuse(card),
    delete: () => (card.id === undefined ? commands.discard(card) : commands.remove(card)),
    ...keys,
  }
  const act = acts[event.key.toLowerCase()]
  if (act === undefined) return
  event.preventDefault()
  act()
}
