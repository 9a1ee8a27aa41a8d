import {useRef, useState, type PointerEvent, type SyntheticEvent} from 'react'
import type {Artifact} from '#contract/media/media-tool.ts'
import {PlayIcon} from '#ui/media-icons.tsx'
import {useMediaQuery} from '#ui/use-media-query.ts'
import {durationText} from '../duration.ts'
import {safeUrl, stillOf} from '../media-url.ts'
import {BrokenMedia, ResultImage} from './result-image.tsx'
import {useSeen} from './still-image.tsx'
import styles from './result.module.css'

/** A video plays under a resting pointer, where one can rest and movement is welcome (design.md §9). */
const canPreview = '(hover: hover) and (pointer: fine) and (prefers-reduced-motion: no-preference)'

/** A browser that will not play says so in the viewer; here the first image stays. */
const leaveStill = () => undefined

type ResultVideoProps = {
  artifact: Artifact
  alt: string
  openLabel: string
  onOpen: () => void
  fit: 'cover' | 'contain'
  /** Its own width and height, once they are known. */
  onSize?: ((width: number, height: number) => void) | undefined
}

/** A video plays while the pointer rests on it. */
function usePreview() {
  const mayPreview = useMediaQuery(canPreview)
  const [isPlaying, setPlaying] = useState(false)
  const [position, setPosition] = useState<number>()
  const bar = useRef<HTMLSpanElement>(null)
  return {
    isPlaying,
    /** In seconds, while it plays. */
    position,
    /** As wide as what was played. */
    bar,
    onPointerEnter: ({pointerType, currentTarget}: PointerEvent) => {
      if (!mayPreview || pointerType === 'touch') return
      setPlaying(true)
      // without a poster the video is there already, and `autoPlay` starts none that is
      currentTarget.querySelector('video')?.play().catch(leaveStill)
    },
    onPointerLeave: ({currentTarget}: PointerEvent) => {
      setPlaying(false)
      setPosition(undefined)
      const element = currentTarget.querySelector('video')
      element?.pause()
      if (element) element.currentTime = 0
    },
    onTimeUpdate: ({currentTarget: {currentTime, duration}}: SyntheticEvent<HTMLVideoElement>) => {
      if (isPlaying) setPosition(currentTime)
      bar.current?.style.setProperty('inline-size', `${(currentTime / duration) * 100}%`)
    },
  }
}

/**
 * A video in a card: its poster, else its first image, and on request the video. It plays without sound and only under
 * the pointer; a press opens the viewer. Nothing of the video is loaded before, and of one without a poster its
 * beginning alone, when it comes into view.
 */
export function ResultVideo({artifact, alt, openLabel, onOpen, fit, onSize}: ResultVideoProps) {
  const {url, previewUrl, durationSeconds} = artifact
  const {isPlaying, position, bar, ...preview} = usePreview()
  const [round, setRound] = useState(0)
  const [isBroken, setBroken] = useState(false)
  const [isSeen, seenRef] = useSeen()
  const source = safeUrl(url)
  if (source === undefined || isBroken) {
    return (
      <BrokenMedia
        url={source}
        onRetry={() => {
          setBroken(false)
          setRound(round + 1)
        }}
      />
    )
  }
  const video = (
    <video
      key={round}
      ref={seenRef}
      className={styles.fill}
      style={{objectFit: fit}}
      src={stillOf(source)}
      poster={safeUrl(previewUrl)}
      muted
      loop
      playsInline
      autoPlay={isPlaying}
      preload={isPlaying ? 'auto' : isSeen ? 'metadata' : 'none'}
      aria-hidden="true"
      tabIndex={-1}
      onError={() => setBroken(true)}
      onLoadedMetadata={({currentTarget: {videoWidth, videoHeight}}) => onSize?.(videoWidth, videoHeight)}
      onTimeUpdate={preview.onTimeUpdate}
    />
  )
  return (
    <span className={styles.fill} onPointerEnter={preview.onPointerEnter} onPointerLeave={preview.onPointerLeave}>
      {isPlaying || previewUrl === undefined ? (
        video
      ) : (
        <ResultImage url={previewUrl} alt={alt} fit={fit} instead={video} />
      )}
      <button type="button" className={styles.open} aria-label={openLabel} onClick={onOpen}>
        {!isPlaying && (
          <span className={styles.play}>
            <PlayIcon size={20} />
          </span>
        )}
      </button>
      {isPlaying && (
        <span className={styles.scrub} aria-hidden="true">
          <span ref={bar} />
        </span>
      )}
      {durationSeconds !== undefined && (
        <bdi dir="ltr" className={styles.duration}>
          {position === undefined
            ? durationText(durationSeconds)
            : `${durationText(position)} / ${durationText(durationSeconds)}`}
        </bdi>
      )}
    </span>
  )
}
