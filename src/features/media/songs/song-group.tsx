import {memo, useId} from 'react'
import type {Artifact} from '#contract/media/media-tool.ts'
import {Button} from '#ui/button.tsx'
import type {FavouriteMarks} from '#domain/merge-favourites.ts'
import {isMarked} from '#domain/favourites.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {MoreIcon} from '#ui/icons.tsx'
import {DownloadIcon, PlayIcon} from '#ui/media-icons.tsx'
import {useText} from '#ui/text.tsx'
import {durationText} from '../duration.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {FeedPosition} from '../feed/feed.tsx'
import {pressCard} from '../feed/card-keys.ts'
import {ResultImage} from '../feed/result-image.tsx'
import {Elapsed} from '../feed/elapsed.tsx'
import {FavouriteButton} from '../feed/favourite-button.tsx'
import {LazyMenu} from '../feed/lazy-menu.tsx'
import {SelectBox} from '../select/select-box.tsx'
import {usePick} from '../select/use-pick.ts'
import {songsOf, trackId} from './song-rows.ts'
import {LazyRow} from './lazy-row.tsx'
import {Rendering} from './song-progress.tsx'
import type {SongCommands} from './song-commands.ts'
import styles from './songs.module.css'

/** The song that plays, or waits paused. */
export type NowPlaying = {id: string; isPlaying: boolean}

type SongGroupProps = FeedPosition & {
  /** Whether it is among those that are chosen; undefined while nothing is being chosen. */
  isChosen?: boolean | undefined
  now: NowPlaying | undefined
  marks: FavouriteMarks
  selected: string | undefined
  commands: SongCommands
}

/** The songs of one request, or how far it is: one line each, kept together. */
export const SongGroup = memo(function SongGroup(props: SongGroupProps) {
  const {card, isChosen, heading, index, count, isCurrent, onCurrent, now, marks, selected, commands} = props
  const id = useId()
  const songs = songsOf(card)
  const isSelecting = isChosen !== undefined
  const pick = usePick({isSelecting, choose: (by) => commands.choose(card, by)})
  const first = songs[0]?.index
  const keys: Record<string, () => void> =
    first === undefined
      ? {}
      : {
          ' ': () => commands.play(card, first),
          enter: () => commands.select(card, first),
          d: () => commands.download(card, first),
        }
  return (
    <article
      className={styles.group}
      {...pick}
      data-chosen={isChosen}
      data-card={card.key}
      tabIndex={isCurrent ? 0 : -1}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-labelledby={`${id}-0`}
      onFocus={() => onCurrent(card.key)}
      onKeyDown={(event) => pressCard(event, {card, commands, isSelecting, keys})}
    >
      {heading !== undefined && <h2 className={styles.day}>{heading}</h2>}
      <div className={styles.rows}>
        {isSelecting && card.id !== undefined && (
          <SelectBox title={songs[0]?.artifact.title ?? commands.title(card)} isOn={isChosen} isCurrent={isCurrent} />
        )}
        <div inert={isSelecting}>
          {songs.length === 0 ? (
            <LazyRow key={card.state} id={`${id}-0`} card={card} commands={commands} />
          ) : (
            songs.map(({artifact, index: position}, at) => (
              <SongRow
                key={position}
                id={`${id}-${at}`}
                card={card}
                artifact={artifact}
                index={position}
                isPlaying={now?.id === trackId(card, position) ? now.isPlaying : undefined}
                isFavourite={isMarked(marks, `${card.id}/${position}`)}
                isSelected={selected === trackId(card, position)}
                commands={commands}
              />
            ))
          )}
        </div>
      </div>
    </article>
  )
})

type SongRowProps = {
  id: string
  card: Card
  artifact: Artifact
  index: number
  /** Undefined: another song is on. */
  isPlaying: boolean | undefined
  isFavourite: boolean
  isSelected: boolean
  commands: SongCommands
}

function SongRow({id, card, artifact, index, isPlaying, isFavourite, isSelected, commands}: SongRowProps) {
  const text = useText()
  const title = artifact.title ?? commands.title(card)
  const work = commands.work(card)
  const style = artifact.style ?? (work === undefined ? card.prompt : undefined)
  const words = [work, style].filter((part) => part && part !== title)
  const isReady = artifact.url !== undefined
  return (
    <div
      className={styles.song}
      data-on={isPlaying !== undefined || undefined}
      data-selected={isSelected || undefined}
      data-ready={isReady || undefined}
    >
      <Cover {...{artifact, title, isPlaying}} onPlay={() => commands.play(card, index)} />
      <button type="button" className={styles.name} onClick={() => commands.select(card, index)}>
        <b id={id} dir="auto">
          {title}
        </b>
        <small dir="auto">
          {artifact.hasVideoComing === true ? text('common.mediaPreparingVideo') : words.join(' · ')}
        </small>
      </button>
      <Operations {...{card, index, title, isReady, isFavourite, commands}} />
      <bdi dir="ltr" className={styles.length}>
        {isReady ? durationText(artifact.durationSeconds) : <Elapsed since={card.at} now={commands.now} />}
      </bdi>
    </div>
  )
}

type CoverProps = Pick<SongRowProps, 'artifact' | 'isPlaying'> & {title: string; onPlay: () => void}

/** The cover; over it the button that plays the song, once there is one. */
function Cover({artifact, title, isPlaying, onPlay}: CoverProps) {
  const text = useText()
  return (
    <span className={styles.cover}>
      {artifact.previewUrl !== undefined && <ResultImage url={artifact.previewUrl} alt="" />}
      {artifact.url !== undefined && (
        <button
          type="button"
          className={styles.play}
          aria-label={text(isPlaying === true ? 'common.mediaPauseOf' : 'common.mediaPlayOf', {title})}
          onClick={onPlay}
        >
          {isPlaying === true ? (
            <span className={styles.bars} aria-hidden="true">
              <i />
              <i />
              <i />
              <i />
            </span>
          ) : (
            <PlayIcon />
          )}
        </button>
      )}
    </span>
  )
}

type OperationsProps = Pick<SongRowProps, 'card' | 'index' | 'isFavourite' | 'commands'> & {
  title: string
  isReady: boolean
}

/** The commands for a song; how far it is while it is made. */
function Operations({card, index, title, isReady, isFavourite, commands}: OperationsProps) {
  const text = useText()
  const lead = commands.lead(card, index)
  return (
    <span className={styles.operations}>
      {isReady ? (
        <>
          <FavouriteButton
            size="sm"
            title={title}
            isOn={isFavourite}
            onPress={(isOn) => commands.setFavourite(card, isOn, index)}
          />
          <IconButton
            size="sm"
            className={styles.extra}
            label={text('common.mediaDownloadOf', {title})}
            icon={<DownloadIcon />}
            onClick={() => commands.download(card, index)}
          />
          {lead !== undefined && (
            <Button size="sm" variant="ghost" className={styles.extra} onClick={lead.run}>
              {lead.label}
            </Button>
          )}
        </>
      ) : (
        <Rendering card={card} />
      )}
      <LazyMenu
        label={text('common.mediaMore')}
        entries={() => commands.songMenu(card, index)}
        trigger={(trigger) => (
          <IconButton size="sm" label={text('common.mediaMoreOf', {title})} icon={<MoreIcon />} {...trigger} />
        )}
      />
    </span>
  )
}
