import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {MenuEntry} from '#ui/menu-entry.ts'
import type {InputImage} from '../input-thumbs.tsx'
import type {OfferedAction} from '../result-actions.ts'
import type {ChooseBy} from '../select/use-selection.ts'
import type {WellCommands} from './task-well.tsx'

export type CardCommands = WellCommands & {
  open: (card: Card, index: number) => void
  /** Chooses it among several, or takes it back. */
  choose: (card: Card, by: ChooseBy) => void
  /** Without a position: each of its results. */
  download: (card: Card, index?: number) => void
  /** Marks it as a favourite, or takes the mark off; with a position, that one of its songs. */
  setFavourite: (card: Card, isOn: boolean, index?: number) => void
  reuse: (card: Card) => void
  usePrompt: (text: string) => void
  /** The rest of what can be done, made when it is asked for. With a position: with that one of its results. */
  menu: (card: Card, index?: number) => readonly MenuEntry[]
  /** The actions of a result that stand on the card itself, under the headings of the tool. */
  shortActions: (card: Card, index: number) => readonly ShortActions[]
  act: (card: Card, index: number, offered: OfferedAction) => void
  /** The tools and roles that can take this result, or its prompt. */
  useIn: (card: Card, index: number) => readonly MenuEntry[]
  /** Its words; of one without any what it did. */
  title: (card: Card) => string
  /** The work of the task on a result or a file; undefined of something new. */
  work: (card: Card) => string | undefined
  /** A few words on how it was made, such as `v1.6 · 10 s · 16:9`. */
  meta: (card: Card) => readonly string[]
  /** The images that went into it. */
  inputs: (card: Card) => readonly InputImage[]
}

export type ShortActions = {
  label: string
  actions: readonly {short: string; name: string; price: readonly string[]; offered: OfferedAction}[]
}
