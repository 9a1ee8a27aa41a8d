import {memo, useId, useReducer, useState, type ReactNode} from 'react'
import {formatDateTime} from '#domain/date-time.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {MoreIcon} from '#ui/icons.tsx'
import {DownloadIcon, ExpandIcon, UseInIcon} from '#ui/media-icons.tsx'
import {useText} from '#ui/text.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {InputThumbs} from '../input-thumbs.tsx'
import {ActionRow, ChoiceRow} from './action-row.tsx'
import type {CardCommands} from './card-commands.ts'
import {pressCard} from './card-keys.ts'
import {SelectBox} from '../select/select-box.tsx'
import {usePick} from '../select/use-pick.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {FavouriteButton} from './favourite-button.tsx'
import type {FeedPosition} from './feed.tsx'
import {LazyMenu} from './lazy-menu.tsx'
import {boxRatio, type Shape} from './ratio.ts'
import {isTextual, seenResults, TaskResult} from './task-result.tsx'
import {LazyWell} from './lazy-well.tsx'
import resultStyles from './result.module.css'
import styles from './task-card.module.css'

export type FeedLayout = 'grid' | 'list'

export type TaskCardProps = FeedPosition & {
  layout: FeedLayout
  isFavourite: boolean
  /** Whether it is among those that are chosen; undefined while nothing is being chosen. */
  isChosen?: boolean | undefined
  /** How many results there are or will be, and of which width over height. */
  shapeOf: (card: Card) => Shape
  commands: CardCommands
}

/** One request from the moment it is sent: what became of it, its prompt, how it was made, what can be done with it. */
export const TaskCard = memo(function TaskCard(props: TaskCardProps) {
  const {card, layout, isFavourite, isChosen, heading, index, count, isCurrent, shapeOf, commands, onCurrent} = props
  const id = useId()
  const isDone = card.state === 'succeeded' && card.reading.artifacts.length > 0
  const textual = isDone && isTextual(card)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const shape = shapeOf(card)
  const title = commands.title(card)
  const [wantedIndex, choose] = useState<number>()
  const positions = isDone && !textual ? seenResults(card) : []
  /** The one of several results that the card works on; without one it is the first, and a download has all. */
  const chosenIndex =
    positions.length > 1 && wantedIndex !== undefined && wantedIndex < positions.length ? wantedIndex : undefined
  const position = chosenIndex === undefined ? undefined : positions[chosenIndex]
  const isSelecting = isChosen !== undefined
  const pick = usePick({isSelecting, choose: (by) => commands.choose(card, by)})
  return (
    <article
      className={styles.card}
      {...pick}
      data-layout={layout}
      data-chosen={isChosen}
      data-card={card.key}
      data-first={heading !== undefined || undefined}
      tabIndex={isCurrent ? 0 : -1}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-meta`}
      onFocus={() => onCurrent(card.key)}
      onKeyDown={(event) => {
        const result = {card, isFavourite, commands, position, count: positions.length, choose}
        const keys = isDone ? resultKeys(event.currentTarget, result) : {}
        pressCard(event, {card, commands, isSelecting, keys})
      }}
    >
      {heading !== undefined && <h2 className={styles.day}>{heading}</h2>}
      <div className={styles.frame}>
        {isSelecting && card.id !== undefined && <SelectBox title={title} isOn={isChosen} isCurrent={isCurrent} />}
        <Box {...{card, layout, title, shape, position, isDone, isSelecting, commands}} onMeasured={redraw} />
      </div>
      <div inert={isSelecting} className={styles.words}>
        {positions.length > 1 && <ChoiceRow count={positions.length} chosen={chosenIndex} onChoose={choose} />}
        {isDone && <ActionRow card={card} index={position ?? 0} commands={commands} />}
        <Caption {...{id, card, title, position, isDone, isFavourite, commands}} />
        <InputThumbs images={commands.inputs(card)} />
        <div id={`${id}-meta`} className={styles.meta}>
          {commands.meta(card).map((part, position) => (
            <span key={position}>
              <bdi>{part}</bdi>
            </span>
          ))}
          {layout === 'list' && <TimeText value={card.at * 1_000} format={formatDateTime} />}
        </div>
      </div>
    </article>
  )
})

type CaptionProps = Pick<TaskCardProps, 'card' | 'isFavourite' | 'commands'> & {
  /** Id of the card. */
  id: string
  title: string
  position: number | undefined
  isDone: boolean
}

/** The title of a card, and the buttons beside it. */
function Caption({id, card, title, position, isDone, isFavourite, commands}: CaptionProps) {
  const text = useText()
  return (
    <div className={styles.caption}>
      <p id={`${id}-title`} dir="auto" title={card.prompt}>
        {title}
      </p>
      {isDone && (
        <FavouriteButton
          size="sm"
          className={styles.favourite}
          title={title}
          isOn={isFavourite}
          onPress={(isOn) => commands.setFavourite(card, isOn)}
        />
      )}
      <LazyMenu
        label={text('common.mediaMore')}
        entries={() => commands.menu(card, position)}
        trigger={(trigger) => (
          <IconButton size="sm" label={text('common.mediaMore')} icon={<MoreIcon />} {...trigger} />
        )}
      />
    </div>
  )
}

type BoxProps = Pick<TaskCardProps, 'card' | 'layout' | 'commands'> & {
  title: string
  shape: Shape
  position: number | undefined
  isDone: boolean
  isSelecting: boolean
  onMeasured: () => void
}

/** The outcome of the request: its results, its text, or how far it is. */
function Box({card, layout, title, shape, position, isDone, isSelecting, commands, onMeasured}: BoxProps) {
  const box = {aspectRatio: String(boxRatio(shape))}
  if (isDone && isTextual(card))
    return (
      <div
        inert={isSelecting}
        className={resultStyles.text}
        // as tall as an image would be: the cards beside it end where it ends
        style={layout === 'grid' ? box : {maxBlockSize: 260}}
      >
        <TaskResult card={card} title={title} shape={shape} onOpen={() => undefined} onUseText={commands.usePrompt} />
      </div>
    )
  return (
    <div inert={isSelecting} className={styles.media} style={box}>
      {isDone ? (
        <>
          <TaskResult
            card={card}
            title={title}
            shape={shape}
            chosen={position}
            onMeasured={onMeasured}
            onOpen={(at) => commands.open(card, at)}
            onUseText={commands.usePrompt}
          />
          <Over card={card} position={position} title={title} commands={commands} />
        </>
      ) : (
        <LazyWell key={card.state} card={card} commands={commands} />
      )}
    </div>
  )
}

type ResultKeys = {
  card: Card
  isFavourite: boolean
  commands: CardCommands
  position: number | undefined
  /** How many results there are to choose from. */
  count: number
  choose: (index: number) => void
}

/** The keys for the results of a finished card; a number chooses one of several. */
function resultKeys(element: HTMLElement, {card, isFavourite, commands, position, count, choose}: ResultKeys) {
  const open = () => commands.open(card, position ?? 0)
  const numbers =
    count > 1 ? Array.from({length: count}, (_, index) => [`${index + 1}`, () => choose(index)] as const) : []
  return {
    ...Object.fromEntries(numbers),
    enter: open,
    ' ': open,
    d: () => commands.download(card, position),
    s: () => commands.setFavourite(card, !isFavourite),
    u: () => element.querySelector<HTMLButtonElement>('[data-use-in]')?.click(),
  }
}

type OverProps = {card: Card; position: number | undefined; title: string; commands: CardCommands}

/** Buttons over a result: shown to a pointer on the card, or when one has the focus. Touch has the menu. */
function Over({card, position, title, commands}: OverProps): ReactNode {
  const text = useText()
  return (
    <div className={styles.over}>
      <IconButton
        className={styles.glass}
        label={text('common.mediaDownloadOf', {title})}
        icon={<DownloadIcon />}
        onClick={() => commands.download(card, position)}
      />
      <LazyMenu
        label={text('common.mediaUseIn')}
        entries={() => commands.useIn(card, position ?? 0)}
        trigger={(trigger) => (
          <IconButton
            className={styles.glass}
            data-use-in=""
            label={text('common.mediaUseInOf', {title})}
            icon={<UseInIcon />}
            {...trigger}
          />
        )}
      />
      <IconButton
        className={styles.glass}
        label={text('common.mediaOpenOf', {title})}
        icon={<ExpandIcon />}
        onClick={() => commands.open(card, position ?? 0)}
      />
    </div>
  )
}
