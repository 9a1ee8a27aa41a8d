import {useImperativeHandle, useRef, useState, type Ref, type RefObject} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {MuteIcon, PauseIcon, StepBackIcon, StepForwardIcon, VolumeIcon} from '#ui/viewer-icons.tsx'
import {ExpandIcon, PlayIcon} from '#ui/media-icons.tsx'
import {Slider} from '#ui/forms/slider.tsx'
import {useText} from '#ui/text.tsx'
import {durationText} from '../duration.ts'
import {BrokenMedia} from '../feed/result-image.tsx'
import styles from './viewer.module.css'

/** The parts of a video that the keys of the viewer work. */
export type VideoHandle = {
  toggle: () => void
  /** Seconds to go on or back. */
  skip: (seconds: number) => void
  mute: () => void
  /** One image on (1) or back (-1); it stands still then. */
  step: (direction: 1 | -1) => void
  /** The element that shows the image; null where the video is broken. */
  element: () => HTMLVideoElement | null
}

/** Videos rarely say how many images a second they have; a step is one at this rate. */
const frameTime = 1 / 24

type VideoStageProps = {
  url: string
  poster: string | undefined
  title: string
  /** 0 to 100, the volume of the player (spec §9). */
  volume: number
  onFullScreen: () => void
  /** The video begins to sound: all other players fall silent. */
  onPlay: () => void
  ref?: Ref<VideoHandle>
}

/** The controls of a video for buttons and keys; they do nothing before there is one. */
function controlsOf(
  video: RefObject<HTMLVideoElement | null>,
  onPosition: (seconds: number) => void,
  onRefused: () => void,
) {
  const seek = (to: number) => {
    const element = video.current
    if (element === null) return
    element.currentTime = Math.min(Math.max(0, to), Number.isFinite(element.duration) ? element.duration : to)
    onPosition(element.currentTime)
  }
  const skip = (seconds: number) => seek((video.current?.currentTime ?? 0) + seconds)
  return {
    seek,
    skip,
    toggle: () => {
      const element = video.current
      // refused without a press: the button stays
      if (element?.paused === true) element.play().catch(onRefused)
      else element?.pause()
    },
    step: (direction: 1 | -1) => {
      video.current?.pause()
      skip(direction * frameTime)
    },
    mute: () => {
      const element = video.current
      if (element !== null) element.muted = !element.muted
    },
  }
}

/** A video with its controls: play, timeline, one image at a time, sound, full screen. It starts on request. */
export function VideoStage({url, poster, title, volume, onFullScreen, onPlay, ref}: VideoStageProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [isMuted, setMuted] = useState(false)
  const [position, setPosition] = useState(0)
  const [duration, setDuration] = useState(0)
  const [isBroken, setIsBroken] = useState(false)
  const [round, setRound] = useState(0)

  const controls = controlsOf(video, setPosition, () => setPlaying(false))
  const {toggle, skip, step, mute} = controls
  useImperativeHandle(ref, () => ({toggle, skip, mute, step, element: () => video.current}))

  if (isBroken) {
    return (
      <BrokenMedia
        url={url}
        onRetry={() => {
          setIsBroken(false)
          setRound(round + 1)
        }}
      />
    )
  }
  return (
    <div className={styles.frame}>
      <video
        key={round}
        ref={video}
        className={styles.content}
        src={url}
        poster={poster}
        aria-label={title}
        playsInline
        loop
        preload="auto"
        onClick={toggle}
        onPlay={() => {
          setPlaying(true)
          onPlay()
        }}
        onPause={() => setPlaying(false)}
        onError={() => setIsBroken(true)}
        onTimeUpdate={({currentTarget}) => setPosition(currentTarget.currentTime)}
        onLoadedMetadata={({currentTarget}) => {
          currentTarget.volume = volume / 100
          setDuration(Number.isFinite(currentTarget.duration) ? currentTarget.duration : 0)
        }}
        onVolumeChange={({currentTarget}) => setMuted(currentTarget.muted)}
      />
      <VideoControls
        isPlaying={isPlaying}
        isMuted={isMuted}
        position={position}
        duration={duration}
        controls={controls}
        onFullScreen={onFullScreen}
      />
    </div>
  )
}

type VideoControlsProps = {
  isPlaying: boolean
  isMuted: boolean
  /** Both in seconds. */
  position: number
  duration: number
  controls: ReturnType<typeof controlsOf>
  onFullScreen: () => void
}

function VideoControls({isPlaying, isMuted, position, duration, controls, onFullScreen}: VideoControlsProps) {
  const text = useText()
  const times = `${durationText(position)} / ${durationText(duration)}`
  return (
    <div className={styles.controls}>
      <IconButton
        label={text(isPlaying ? 'common.mediaPause' : 'common.mediaPlay')}
        keys="Space"
        icon={isPlaying ? <PauseIcon /> : <PlayIcon />}
        onClick={controls.toggle}
      />
      <IconButton
        label={text('common.mediaFrameBack')}
        keys=","
        icon={<StepBackIcon />}
        onClick={() => controls.step(-1)}
      />
      <IconButton
        label={text('common.mediaFrameOn')}
        keys="."
        icon={<StepForwardIcon />}
        onClick={() => controls.step(1)}
      />
      <bdi dir="ltr" className={styles.times}>
        {times}
      </bdi>
      <Slider
        isTimeline
        label={text('common.mediaSeek')}
        value={position}
        least={0}
        most={duration}
        step={0.01}
        valueText={times}
        onChange={controls.seek}
      />
      <IconButton
        label={text(isMuted ? 'common.mediaUnmute' : 'common.mediaMute')}
        keys="M"
        icon={isMuted ? <MuteIcon /> : <VolumeIcon />}
        onClick={controls.mute}
      />
      <IconButton label={text('common.mediaFullScreen')} keys="F" icon={<ExpandIcon />} onClick={onFullScreen} />
    </div>
  )
}
