import type {ReactNode} from 'react'
import {Button} from '#ui/button.tsx'
import {classNames} from '#ui/class-names.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {AlertIcon, MoreIcon, RetryIcon} from '#ui/icons.tsx'
import {FileIcon, SearchIcon} from '#ui/later-icons.tsx'
import {ClipIcon} from '#ui/viewer-icons.tsx'
import {DownloadIcon, PlayIcon} from '#ui/media-icons.tsx'
import {useText} from '#ui/text.tsx'
import {AddCreditsLink} from '../add-credits-link.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {stateText} from '../feed/state-text.ts'
import {Elapsed} from '../feed/elapsed.tsx'
import {reasonOf, refundText, useMissingText} from '../feed/failure-text.ts'
import {LazyMenu} from '../feed/lazy-menu.tsx'
import {Rendering} from './song-progress.tsx'
import type {SongCommands} from './song-commands.ts'
import styles from './songs.module.css'

export type RowProps = {id: string; card: Card; commands: SongCommands}

const troubleStates: readonly Card['state'][] = ['failed', 'rejected', 'usedUp', 'unsure', 'gone', 'lost']

/** A request without a song: what was made instead, or where it is. */
export function OtherOrWaitingRow(props: RowProps) {
  const {state, reading} = props.card
  return state === 'succeeded' && reading.artifacts.length > 0 ? <OtherRow {...props} /> : <WaitingRow {...props} />
}

/** A request without a song yet: on its way, failed, or not to be found. Every state has its way out. */
function WaitingRow({id, card, commands}: RowProps) {
  const text = useText()
  const isTroubled = troubleStates.includes(card.state)
  const isOffline = card.state === 'offline'
  const reason = card.state === 'failed' || card.state === 'rejected' ? reasonOf(card.failure) : undefined
  const sentence =
    reason === undefined ? text(stateText[card.state]) : 'said' in reason ? reason.said : text(reason.textId)
  const refund = reason === undefined ? undefined : refundText(text, card)
  const missing = useMissingText(card)
  return (
    <div className={styles.song} data-state={card.state}>
      <span className={classNames(styles.cover, isTroubled ? styles.trouble : styles.blank)}>
        {isTroubled && <AlertIcon />}
      </span>
      <span className={styles.name}>
        <b id={id} dir="auto">
          {card.prompt === '' ? text('common.mediaUntitled') : card.prompt}
        </b>
        <small dir="auto" className={isTroubled ? styles.error : undefined}>
          {sentence}
        </small>
        {missing !== undefined && <small>{missing}</small>}
        {refund !== undefined && <small>{refund}</small>}
      </span>
      <span className={styles.operations}>
        {isTroubled || isOffline ? <WaysOut card={card} commands={commands} /> : <Rendering card={card} />}
        <LazyMenu
          label={text('common.mediaMore')}
          entries={() => commands.menu(card)}
          trigger={(trigger) => (
            <IconButton size="sm" label={text('common.mediaMore')} icon={<MoreIcon />} {...trigger} />
          )}
        />
      </span>
      {!isTroubled && !isOffline && (
        <span className={styles.length}>
          <Elapsed since={card.at} now={commands.now} />
        </span>
      )}
    </div>
  )
}

function WaysOut({card, commands}: {card: Card; commands: SongCommands}): ReactNode {
  const text = useText()
  switch (card.state) {
    case 'lost':
    case 'gone':
      return (
        <Button size="sm" className={styles.way} icon={<SearchIcon size={14} />} onClick={() => commands.check(card)}>
          <span>{text('common.mediaCheckNow')}</span>
        </Button>
      )
    case 'usedUp':
      return <AddCreditsLink size="sm" {...commands.addCredits(card)} />
    default:
      return (
        <Button
          size="sm"
          className={styles.way}
          icon={<RetryIcon size={14} />}
          onClick={() => (card.state === 'failed' ? commands.retry(card) : commands.sendAgain(card))}
        >
          <span>{text(card.state === 'unsure' ? 'common.mediaSendAgain' : 'common.mediaTryAgain')}</span>
        </Button>
      )
  }
}

/** A row of something else than a song: lyrics, or the video of a song. */
function OtherRow({id, card, commands}: RowProps) {
  const text = useText()
  const [artifact] = card.reading.artifacts
  const words = artifact?.text
  const title = artifact?.title ?? (card.prompt === '' ? text('common.mediaUntitled') : card.prompt)
  return (
    <div className={styles.song}>
      <span className={classNames(styles.cover, styles.other)}>
        {words === undefined ? <ClipIcon size={20} /> : <FileIcon size={20} />}
      </span>
      <span className={styles.name}>
        <b id={id} dir="auto">
          {title}
        </b>
        <small dir="auto">{words ?? card.prompt}</small>
      </span>
      <span className={styles.operations}>
        {words === undefined ? (
          <>
            <IconButton
              size="sm"
              label={text('common.mediaPlayOf', {title})}
              icon={<PlayIcon />}
              onClick={() => commands.watch(card, 0)}
            />
            <IconButton
              size="sm"
              label={text('common.mediaDownloadOf', {title})}
              icon={<DownloadIcon />}
              onClick={() => commands.download(card, 0)}
            />
          </>
        ) : (
          <CopyButton value={() => words} />
        )}
        <LazyMenu
          label={text('common.mediaMore')}
          entries={() => commands.songMenu(card, 0)}
          trigger={(trigger) => (
            <IconButton size="sm" label={text('common.mediaMoreOf', {title})} icon={<MoreIcon />} {...trigger} />
          )}
        />
      </span>
    </div>
  )
}
