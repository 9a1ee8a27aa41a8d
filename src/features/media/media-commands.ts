import type {UseTarget} from '#domain/use-targets.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {MenuEntry} from '#ui/menu-entry.ts'
import type {CardCommands} from './feed/card-commands.ts'
import type {actionGroups, OfferedAction} from './result-actions.ts'
import type {TargetName} from './use-targets.tsx'

export type MediaCommands = Omit<CardCommands, 'open' | 'choose'> & {
  groups: (card: Card, index: number) => ReturnType<typeof actionGroups>
  act: (card: Card, index: number, offered: OfferedAction) => void
  costOf: (offered: OfferedAction) => number | undefined
  /** The same request was sent before, and did not fail. */
  isUsed: (offered: OfferedAction) => boolean
  targets: (card: Card, index: number) => readonly UseTarget[]
  /** The targets that can take its prompt. */
  promptTargets: (card: Card) => readonly UseTarget[]
  targetName: (target: Extract<UseTarget, {kind: 'tool'}>) => TargetName
  goTo: (card: Card, target: UseTarget) => void
  /** The menu of one result of a task, after these entries of its own. */
  menuOf: (card: Card, index: number, own: readonly MenuEntry[]) => readonly MenuEntry[]
  /** The targets that can take an image whose address is not known yet. */
  frameTargets: () => readonly UseTarget[]
  /** Takes the image that a video shows and goes to the target with it. */
  useFrame: (card: Card, target: UseTarget, video: () => HTMLVideoElement | null) => void
  /** The targets that can take the image that a video shows. */
  frameMenu: (card: Card, video: () => HTMLVideoElement | null) => readonly MenuEntry[]
  /** The targets that can take its prompt. */
  promptMenu: (card: Card) => readonly MenuEntry[]
  /** Opens what it went through. */
  tellFlow: (card: Card) => void
  mayRemove: (card: Card) => boolean
  /** Asks to give the file of a result a new address; undefined of what has none to renew. */
  renew: (card: Card, index: number) => (() => void) | undefined
}
