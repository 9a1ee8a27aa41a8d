import {useState} from 'react'
import type {Track} from '#machines/player/player.types.ts'
import {Button} from '#ui/button.tsx'
import {Drawer} from '#ui/drawer.tsx'
import {Slider} from '#ui/forms/slider.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon, FileIcon, RetryIcon} from '#ui/icons.tsx'
import {MuteIcon, NextIcon, PauseIcon, PlayIcon, PreviousIcon, VolumeIcon} from '#ui/media-icons.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {useText} from '#ui/text.tsx'
import {durationText} from '../duration.ts'
import {ResultImage} from '../feed/result-image.tsx'
import {Lyric} from '../songs/song-detail.tsx'
import styles from './player-bar.module.css'

export type PlayerCommands = {
  toggle: () => void
  next: () => void
  previous: () => void
  retry: () => void
  close: () => void
  seek: (position: number) => void
  volume: (volume: number) => void
}

export type PlayerBarProps = {
  track: Track
  state: 'loading' | 'playing' | 'paused' | 'failed'
  /** Seconds. */
  position: number
  duration: number
  /** 0 to 100. */
  volume: number
  hasPrevious: boolean
  hasNext: boolean
  commands: PlayerCommands
}

/** The song that plays while one walks around (design.md §10). Its timeline and volume run left to right everywhere. */
export function PlayerBar(props: PlayerBarProps) {
  const {track, state, position, duration, volume, hasPrevious, hasNext, commands} = props
  const text = useText()
  const [lyrics, setLyrics] = useState(false)
  const [loud, setLoud] = useState(100)
  const isOn = state === 'playing' || state === 'loading'
  const mute = () => {
    if (volume > 0) setLoud(volume)
    commands.volume(volume > 0 ? 0 : loud)
  }
  const toggleLabel = text(isOn ? 'common.mediaPause' : 'common.mediaPlay')
  return (
    <section className={styles.player} aria-label={text('common.mediaPlayer')}>
      <span className={styles.line} style={{inlineSize: share(position, duration)}} />
      <div className={styles.now}>
        <span className={styles.cover}>
          {track.coverUrl !== undefined && <ResultImage key={track.coverUrl} url={track.coverUrl} alt="" />}
        </span>
        <span className={styles.words}>
          <b dir="auto">{track.title}</b>
          {state === 'failed' ? (
            <small role="alert" className={styles.failed}>
              {text('common.mediaPlayFailed')}
            </small>
          ) : (
            <small dir="auto">{track.subtitle}</small>
          )}
        </span>
      </div>
      <div className={styles.middle}>
        <div className={styles.buttons}>
          <IconButton
            className={styles.wideOnly}
            label={text('common.mediaPreviousSong')}
            icon={<PreviousIcon />}
            disabled={!hasPrevious}
            onClick={commands.previous}
          />
          {state === 'failed' ? (
            <Button size="sm" icon={<RetryIcon size={14} />} onClick={commands.retry}>
              {text('common.retry')}
            </Button>
          ) : (
            <button type="button" className={styles.round} aria-label={toggleLabel} onClick={commands.toggle}>
              {state === 'loading' ? <Spinner size={16} /> : state === 'playing' ? <PauseIcon /> : <PlayIcon />}
            </button>
          )}
          <IconButton
            label={text('common.mediaNextSong')}
            icon={<NextIcon />}
            disabled={!hasNext}
            onClick={commands.next}
          />
        </div>
        <div className={styles.time}>
          <span>{durationText(position)}</span>
          <Slider
            isTimeline
            label={text('common.mediaSeek')}
            value={Math.min(position, duration)}
            least={0}
            most={duration}
            step={1}
            valueText={`${durationText(position)} / ${durationText(duration)}`}
            onChange={commands.seek}
          />
          <span>{durationText(duration)}</span>
        </div>
      </div>
      <div className={styles.end}>
        {track.lyric !== undefined && track.lyric !== '' && (
          <IconButton label={text('common.mediaLyrics')} icon={<FileIcon />} onClick={() => setLyrics(true)} />
        )}
        <span className={styles.volume}>
          <IconButton
            label={text(volume === 0 ? 'common.mediaUnmute' : 'common.mediaMute')}
            icon={volume === 0 ? <MuteIcon size={20} /> : <VolumeIcon size={20} />}
            onClick={mute}
          />
          <Slider
            isTimeline
            label={text('common.mediaVolume')}
            value={volume}
            least={0}
            most={100}
            step={1}
            onChange={commands.volume}
          />
          <bdi dir="ltr">{volume}</bdi>
        </span>
        <IconButton label={text('common.mediaPlayerClose')} icon={<CloseIcon />} onClick={commands.close} />
      </div>
      <Drawer open={lyrics} side="bottom" title={track.title} onClose={() => setLyrics(false)}>
        <div className={styles.lyrics}>
          <Lyric text={track.lyric ?? ''} />
        </div>
      </Drawer>
    </section>
  )
}

const share = (position: number, duration: number) =>
  `${duration > 0 ? Math.min(100, (position / duration) * 100) : 0}%`
