import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {CardCommands} from '../feed/card-commands.ts'

export type SongCommands = CardCommands & {
  play: (card: Card, index: number) => void
  select: (card: Card, index: number) => void
  /** The action that goes on from a song, shown beside it. */
  lead: (card: Card, index: number) => {label: string; run: () => void} | undefined
  /** Opens the video of a song, where there is one. */
  watch: (card: Card, index: number) => void
  songMenu: (card: Card, index: number) => ReturnType<CardCommands['menu']>
}
