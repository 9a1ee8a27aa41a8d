import {screen} from '@testing-library/react'
import {vi} from 'vitest'
import {tool as kling} from '#contract/media/kling.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {contentShape} from '#features/media/feed/ratio.ts'
import {TaskCard, type TaskCardProps} from '#features/media/feed/task-card.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {createCommands} from './cards.ts'

export const propsOf = (card: Card) =>
  ({
    card,
    layout: 'grid',
    isFavourite: false,
    heading: 'Today',
    index: 0,
    count: 3,
    isCurrent: true,
    shapeOf: (each) => contentShape(kling, each, 16 / 9),
    commands: createCommands(),
    onCurrent: vi.fn(),
  }) satisfies TaskCardProps

export function showCard(card: Card) {
  const props = propsOf(card)
  const {commands} = props
  const view = renderView(<TaskCard {...props} />)
  return {commands, view, article: screen.getByRole('article')}
}
