import {useState} from 'react'
import {Button} from '#ui/button.tsx'
import {Slider} from '#ui/forms/slider.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {RetryIcon} from '#ui/icons.tsx'
import {MuteIcon, NextIcon, PauseIcon, PreviousIcon, VolumeIcon} from '#ui/viewer-icons.tsx'
import {PlayIcon} from '#ui/media-icons.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {useText} from '#ui/text.tsx'
import {durationText} from '../duration.ts'
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

export type PlayerControlsProps = {
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

type TransportProps = Pick<PlayerControlsProps, 'state' | 'hasPrevious' | 'hasNext' | 'commands'> & {isWhole: boolean}

/** Back, play, on. Without room there is no way back. */
export function Transport({state, hasPrevious, hasNext, commands, isWhole}: TransportProps) {
  const text = useText()
  const isOn = state === 'playing' || state === 'loading'
  return (
    <div className={styles.buttons}>
      <IconButton
        className={isWhole ? undefined : styles.wideOnly}
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
        <button
          type="button"
          className={styles.round}
          aria-label={text(isOn ? 'common.mediaPause' : 'common.mediaPlay')}
          aria-busy={state === 'loading'}
          onClick={commands.toggle}
        >
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
  )
}

/** The position in the song, in seconds; it runs from left to right in every language. */
export function Timeline({
  position,
  duration,
  commands,
}: Pick<PlayerControlsProps, 'position' | 'duration' | 'commands'>) {
  const text = useText()
  return (
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
  )
}

/** Volume from 0 to 100 (spec §3): silence and back, and a slider with its number. */
export function Volume({volume, commands}: Pick<PlayerControlsProps, 'volume' | 'commands'>) {
  const text = useText()
  const [loud, setLoud] = useState(100)
  return (
    <span className={styles.volume}>
      <IconButton
        label={text(volume === 0 ? 'common.mediaUnmute' : 'common.mediaMute')}
        icon={volume === 0 ? <MuteIcon size={20} /> : <VolumeIcon size={20} />}
        onClick={() => {
          if (volume > 0) setLoud(volume)
          commands.volume(volume > 0 ? 0 : loud)
        }}
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
  )
}
