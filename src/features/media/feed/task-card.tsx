import {memo, useId, type KeyboardEvent, type ReactNode} from 'react'
import {formatDateTime} from '#domain/date-time.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {MoreIcon} from '#ui/icons.tsx'
import {DownloadIcon, ExpandIcon, UseInIcon} from '#ui/media-icons.tsx'
import type {MenuEntry} from '#ui/menu.tsx'
import {useText} from '#ui/text.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {InputThumbs, type InputPicture} from '../input-thumbs.tsx'
import type {Card} from './card.ts'
import type {FeedPlace} from './feed.tsx'
import {LateMenu} from './late-menu.tsx'
import {boxRatio, type Shape} from './ratio.ts'
import {isTextual, TaskResult} from './task-result.tsx'
import {LateWell} from './late-well.tsx'
import type {WellCommands} from './task-well.tsx'
import resultStyles from './result.module.css'
import styles from './task-card.module.css'

export type CardCommands = WellCommands & {
  open: (card: Card, index: number) => void
  /** Without a place: each of its results. */
  download: (card: Card, index?: number) => void
  reuse: (card: Card) => void
  usePrompt: (text: string) => void
  /** The rest of what can be done, made when it is asked for. */
  menu: (card: Card) => readonly MenuEntry[]
  /** The tools and roles that can take this result, or its prompt. */
  useIn: (card: Card, index: number) => readonly MenuEntry[]
  /** Its words; of one without any what it did. */
  title: (card: Card) => string
  /** What it did to a result or a file; undefined of something new. */
  work: (card: Card) => string | undefined
  /** A few words on how it was made, such as `v1.6 · 10 s · 16:9`. */
  meta: (card: Card) => readonly string[]
  /** The pictures that went into it. */
  inputs: (card: Card) => readonly InputPicture[]
}

export type FeedLayout = 'grid' | 'list'

export type TaskCardProps = FeedPlace & {
  layout: FeedLayout
  /** How many results there are or will be, and of which width over height. */
  shapeOf: (card: Card) => Shape
  commands: CardCommands
}

/** One request from the moment it is sent: what became of it, its prompt, how it was made, what can be done with it. */
export const TaskCard = memo(function TaskCard(props: TaskCardProps) {
  const {card, layout, heading, index, count, isCurrent, shapeOf, commands, onCurrent} = props
  const text = useText()
  const id = useId()
  const isDone = card.state === 'succeeded' && card.reading.artifacts.length > 0
  const textual = isDone && isTextual(card)
  const shape = shapeOf(card)
  const title = commands.title(card)
  return (
    <article
      className={styles.card}
      data-layout={layout}
      data-card={card.key}
      data-first={heading !== undefined || undefined}
      tabIndex={isCurrent ? 0 : -1}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-meta`}
      onFocus={() => onCurrent(card.key)}
      onKeyDown={(event) => press(event, card, isDone, commands)}
    >
      {heading !== undefined && <h2 className={styles.day}>{heading}</h2>}
      {textual ? (
        <div
          className={resultStyles.text}
          // as tall as a picture would be: the cards beside it end where it ends
          style={layout === 'grid' ? {aspectRatio: String(boxRatio(shape))} : {maxBlockSize: 260}}
        >
          <TaskResult card={card} title={title} shape={shape} onOpen={() => undefined} onUseText={commands.usePrompt} />
        </div>
      ) : (
        <div className={styles.media} style={{aspectRatio: String(boxRatio(shape))}}>
          {isDone ? (
            <>
              <TaskResult
                card={card}
                title={title}
                shape={shape}
                onOpen={(at) => commands.open(card, at)}
                onUseText={commands.usePrompt}
              />
              <Over card={card} title={title} commands={commands} />
            </>
          ) : (
            <LateWell key={card.state} card={card} commands={commands} />
          )}
        </div>
      )}
      <div className={styles.words}>
        <div className={styles.caption}>
          <p id={`${id}-title`} dir="auto" title={card.prompt}>
            {title}
          </p>
          <LateMenu
            label={text('common.mediaMore')}
            entries={() => commands.menu(card)}
            trigger={(trigger) => (
              <IconButton size="sm" label={text('common.mediaMore')} icon={<MoreIcon />} {...trigger} />
            )}
          />
        </div>
        <InputThumbs pictures={commands.inputs(card)} />
        <div id={`${id}-meta`} className={styles.meta}>
          {commands.meta(card).map((part, place) => (
            <span key={place}>
              <bdi>{part}</bdi>
            </span>
          ))}
          {layout === 'list' && <TimeText value={card.at * 1_000} format={formatDateTime} />}
        </div>
      </div>
    </article>
  )
})

/** Keys of a focused card (design.md §8); what is pressed inside of it is not meant for the card. */
function press(event: KeyboardEvent<HTMLElement>, card: Card, isDone: boolean, commands: CardCommands) {
  if (event.target !== event.currentTarget || event.nativeEvent.isComposing || event.keyCode === 229) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const acts: Partial<Record<string, () => void>> = {
    r: () => commands.reuse(card),
    delete: () => (card.id === undefined ? commands.discard(card) : commands.remove(card)),
    ...(isDone
      ? {
          enter: () => commands.open(card, 0),
          ' ': () => commands.open(card, 0),
          d: () => commands.download(card),
          u: () => event.currentTarget.querySelector<HTMLButtonElement>('[data-use-in]')?.click(),
        }
      : {}),
  }
  const act = acts[event.key.toLowerCase()]
  if (act === undefined) return
  event.preventDefault()
  act()
}

/** Buttons over a result: with a pointer they show on the card, by keyboard when one has the focus. Touch has the menu. */
function Over({card, title, commands}: {card: Card; title: string; commands: CardCommands}): ReactNode {
  const text = useText()
  return (
    <div className={styles.over}>
      <IconButton
        className={styles.glass}
        label={text('common.mediaDownloadOf', {title})}
        icon={<DownloadIcon />}
        onClick={() => commands.download(card)}
      />
      <LateMenu
        label={text('common.mediaUseIn')}
        entries={() => commands.useIn(card, 0)}
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
        onClick={() => commands.open(card, 0)}
      />
    </div>
  )
}
