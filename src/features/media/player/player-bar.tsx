import {useState} from 'react'
import type {Track} from '#machines/player/player.types.ts'
import {Drawer} from '#ui/drawer.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {useRootMark} from '#ui/use-root-mark.ts'
import {ResultImage} from '../feed/result-image.tsx'
import {Lyric} from '../songs/song-detail.tsx'
import {Timeline, Transport, Volume, type PlayerControlsProps} from './player-controls.tsx'
import styles from './player-bar.module.css'

export type PlayerBarProps = PlayerControlsProps & {track: Track}

/**
 * The song that plays while one walks around (design.md §10): a bar at the foot of the page, on phones a small one. Its
 * cover opens the whole player with the lyrics. Timeline and volume run left to right everywhere.
 */
export function PlayerBar(props: PlayerBarProps) {
  const {track, position, duration, commands} = props
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  useRootMark('playing')
  return (
    <section className={styles.player} aria-label={text('common.mediaPlayer')}>
      <span className={styles.line} style={{inlineSize: share(position, duration)}} />
      <button
        type="button"
        className={styles.now}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <Cover track={track} />
        <span className={styles.words}>
          <b dir="auto">{track.title}</b>
          <Subtitle {...props} />
        </span>
      </button>
      <div className={styles.middle}>
        <Transport {...props} isWhole={false} />
        <Timeline {...props} />
      </div>
      <div className={styles.end}>
        <Volume {...props} />
        <IconButton label={text('common.mediaPlayerClose')} icon={<CloseIcon />} onClick={commands.close} />
      </div>
      <Drawer open={isOpen} side="bottom" title={text('common.mediaPlayer')} hiddenTitle onClose={() => setOpen(false)}>
        <div className={styles.whole}>
          <span className={styles.wholeCover}>
            <Cover track={track} />
          </span>
          <div className={styles.wholeWords}>
            <b dir="auto">{track.title}</b>
            <Subtitle {...props} />
          </div>
          <Timeline {...props} />
          <Transport {...props} isWhole />
          <Volume {...props} />
          {track.lyric !== undefined && track.lyric !== '' && (
            <div className={styles.lyrics}>
              <Lyric text={track.lyric} />
            </div>
          )}
        </div>
      </Drawer>
    </section>
  )
}

function Cover({track}: {track: Track}) {
  return (
    <span className={styles.cover}>
      {track.coverUrl !== undefined && <ResultImage key={track.coverUrl} url={track.coverUrl} alt="" />}
    </span>
  )
}

function Subtitle({state, track}: Pick<PlayerBarProps, 'state' | 'track'>) {
  const text = useText()
  return state === 'failed' ? (
    <small role="alert" className={styles.failed}>
      {text('common.mediaPlayFailed')}
    </small>
  ) : (
    <small dir="auto">{track.subtitle}</small>
  )
}

const share = (position: number, duration: number) =>
  `${duration > 0 ? Math.min(100, (position / duration) * 100) : 0}%`
