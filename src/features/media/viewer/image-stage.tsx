import {useImperativeHandle, useRef, type Ref} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {AddIcon} from '#ui/icons.tsx'
import {MinusIcon} from '#ui/viewer-icons.tsx'
import {ExpandIcon} from '#ui/media-icons.tsx'
import {useText} from '#ui/text.tsx'
import {ResultImage} from '../feed/result-image.tsx'
import {useZoom} from './use-zoom.ts'
import styles from './viewer.module.css'

/** The parts of an image that the keys of the viewer work. */
export type ImageHandle = {zoomIn: () => void; zoomOut: () => void; whole: () => void}

const stepFactor = 1.5

type ImageStageProps = {url: string; title: string; onFullScreen: () => void; ref?: Ref<ImageHandle>}

/** An image to look into: wheel, pinch and drag, double press, and buttons that do the same. */
export function ImageStage({url, title, onFullScreen, ref}: ImageStageProps) {
  const text = useText()
  const stage = useRef<HTMLDivElement>(null)
  const {zoom, by, reset} = useZoom(stage, url)
  useImperativeHandle(ref, () => ({zoomIn: () => by(stepFactor), zoomOut: () => by(1 / stepFactor), whole: reset}))
  return (
    <div className={styles.frame}>
      <div
        ref={stage}
        className={styles.zoomer}
        data-zoomed={zoom.scale > 1 || undefined}
        onDoubleClick={(event) => (zoom.scale > 1 ? reset() : by(2.5, event))}
      >
        <span style={{transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`}}>
          <ResultImage url={url} alt={title} className={styles.content} fit="contain" />
        </span>
      </div>
      <div className={styles.controls} data-end="">
        <IconButton
          label={text('common.mediaZoomOut')}
          keys="-"
          icon={<MinusIcon />}
          disabled={zoom.scale === 1}
          onClick={() => by(1 / stepFactor)}
        />
        <button type="button" className={styles.percent} onClick={reset} aria-label={text('common.mediaZoomReset')}>
          <bdi dir="ltr">{Math.round(zoom.scale * 100)}%</bdi>
        </button>
        <IconButton label={text('common.mediaZoomIn')} keys="+" icon={<AddIcon />} onClick={() => by(stepFactor)} />
        <IconButton label={text('common.mediaFullScreen')} keys="F" icon={<ExpandIcon />} onClick={onFullScreen} />
      </div>
    </div>
  )
}
