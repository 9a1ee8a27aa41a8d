import type {Artifact} from '#contract/media/media-tool.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {safeUrl} from '../media-url.ts'

/** One thing that can be looked at, in the order of the feed. */
export type ViewerItem = {card: Card; index: number; artifact: Artifact}

/** The position of a result among the cards. */
export type ViewerPosition = {key: string; index: number}

/** Everything of these cards that can be looked at. */
export const viewerItems = (cards: readonly Card[]): ViewerItem[] =>
  cards.flatMap((card) =>
    card.state !== 'succeeded'
      ? []
      : card.reading.artifacts.flatMap((artifact, index) =>
          (artifact.medium === 'image' || artifact.medium === 'video') && safeUrl(artifact.url) !== undefined
            ? [{card, index, artifact}]
            : [],
        ),
  )
