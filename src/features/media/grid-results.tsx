import {useSelector} from '@xstate/react'
import {Suspense, useCallback, useMemo} from 'react'
import {isMarked} from '#domain/favourites.ts'
import {selectMarks} from '#machines/task-favourites/task-favourites.machine.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {Feed, type FeedProps} from './feed/feed.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {TaskCard} from './feed/task-card.tsx'
import type {CardCommands} from './feed/card-commands.ts'
import {useMedia} from './media.context.ts'
import {Selection} from './select/selection.tsx'
import {useChoice} from './select/use-selection.ts'
import {useShapes} from './use-cards.ts'
import {useCommands} from './use-commands.ts'
import {useLayout} from './use-feed-view.ts'
import {useLookedAt} from './use-looked-at.ts'
import {useSelectForm} from './use-select-form.ts'
import {useText} from '#ui/text.tsx'

const ResultViewer = lazyView(async () => (await import('./result-viewer.tsx')).ResultViewer)

type GridResultsProps = Pick<FeedProps, 'cards' | 'scroller' | 'older' | 'onOlder' | 'jump'> & {
  usualRatio: number
  /** A history has no form beside it: an action that fills one goes to the tool. */
  onFormShown?: () => void
}

/** Results to look at: cards, and the viewer over the page. */
export function GridResults({cards, usualRatio, onFormShown, ...feed}: GridResultsProps) {
  const media = useMedia()
  const text = useText()
  const [layout] = useLayout()
  const shapeOf = useShapes(usualRatio)
  const [at, setAt] = useLookedAt(cards)
  const {list, favourites} = media.actors
  const marks = useSelector(favourites, selectMarks)
  const selectForm = useSelectForm()
  const showsForm = onFormShown ?? selectForm
  const select = useCallback((card: Card | undefined) => list.send({type: 'task.select', id: card?.id}), [list])
  const open = useCallback(
    (card: Card, index: number) => {
      setAt({key: card.key, index})
      select(card)
    },
    [select, setAt],
  )
  const close = useCallback(() => {
    setAt(undefined)
    select(undefined)
  }, [select, setAt])
  const showForm = useCallback(() => {
    close()
    showsForm()
  }, [close, showsForm])
  const commands = useCommands(showForm)
  const {chosen, choose} = useChoice(cards)
  const cardCommands = useMemo((): CardCommands => ({...commands, open, choose}), [commands, open, choose])
  return (
    <>
      <Feed
        {...feed}
        label={text('common.mediaResults')}
        cards={cards}
        columns={layout === 'list' ? 1 : 'fit'}
        now={media.now}
        onArrive={select}
        item={(position) => (
          <TaskCard
            {...position}
            layout={layout}
            isChosen={chosen && position.card.id !== undefined && chosen.has(position.card.id)}
            isFavourite={isMarked(marks, position.card.id)}
            shapeOf={shapeOf}
            commands={cardCommands}
          />
        )}
      />
      <Selection chosen={chosen} cards={cards} commands={commands} />
      <Suspense>
        {at !== undefined && (
          <ResultViewer cards={cards} at={at} commands={commands} onMove={open} onClose={close} hasFavourites />
        )}
      </Suspense>
    </>
  )
}
