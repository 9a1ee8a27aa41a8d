import {
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import {openLayerEntry} from '#browser/layer-entry.ts'
import {CountText} from '#ui/count-text.tsx'
import {Drawer} from '#ui/drawer.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {ChevronEndIcon, CloseIcon, InfoIcon} from '#ui/icons.tsx'
import {isComposing} from '#ui/is-composing.ts'
import {ChevronStartIcon} from '#ui/later-icons.tsx'
import {FullScreenDialog} from '#ui/overlays/full-screen-dialog.tsx'
import {useText} from '#ui/text.tsx'
import {useMediaQuery, wide} from '#ui/use-media-query.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {FavouriteButton} from '../feed/favourite-button.tsx'
import {safeUrl} from '../media-url.ts'
import {Filmstrip} from './filmstrip.tsx'
import {ImageStage, type ImageHandle} from './image-stage.tsx'
import {VideoStage, type VideoHandle} from './video-stage.tsx'
import {viewerItems, type ViewerItem, type ViewerPosition} from './viewer-items.ts'
import styles from './viewer.module.css'

export type ViewerProps = {
  cards: readonly Card[]
  /** The result on screen. */
  at: ViewerPosition
  volume: number
  titleOf: (card: Card) => string
  onMove: (item: ViewerItem) => void
  onClose: () => void
  /** A video begins to sound. */
  onPlay: () => void
  /** `video`: what shows the video that is looked at. */
  details: (item: ViewerItem, video: () => HTMLVideoElement | null) => ReactNode
  /** Marks what is looked at as a favourite, or takes the mark off; undefined where nothing can be marked. */
  onFavourite?: ((item: ViewerItem) => void) | undefined
  isFavourite?: (item: ViewerItem) => boolean
}

/** All that can be looked at, and where in it the viewer is. */
function useItems(cards: readonly Card[], at: ViewerProps['at'], onMove: ViewerProps['onMove']) {
  const items = useMemo(() => viewerItems(cards), [cards])
  const position = items.findIndex(({card, index}) => card.key === at.key && index === at.index)
  const go = useCallback(
    (step: number) => {
      const next = items[position + step]
      if (next !== undefined) onMove(next)
    },
    [items, position, onMove],
  )
  return {items, position, item: items[position], go}
}

/** Not for a field or a button below the viewer, nor for the browser. */
function isForViewer(event: KeyboardEvent): boolean {
  if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return false
  const {target} = event
  if (target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return false
  return event.key !== ' ' || !(target instanceof HTMLButtonElement)
}

/**
 * Looks at results one at a time over the whole page, near black in both themes (design.md §10). Back closes it. Its
 * keys: Esc closes, arrows go on (in a video: 5 seconds), Page Up and Down always go on, Space plays, comma and full
 * stop step by an image, M, F, plus, minus and 0, S marks it as a favourite.
 */
export function Viewer(props: ViewerProps) {
  const {cards, at, volume, titleOf, onMove, onClose, onPlay, details, onFavourite, isFavourite} = props
  const text = useText()
  const isWide = useMediaQuery(wide)
  const video = useRef<VideoHandle>(null)
  const image = useRef<ImageHandle>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [showsDetails, setShowsDetails] = useState(false)
  const {items, position, item, go} = useItems(cards, at, onMove)
  const leave = useEffectEvent(onClose)
  useEffect(() => openLayerEntry(() => leave()), [])
  if (item === undefined) return null
  const {artifact, card} = item
  const url = safeUrl(artifact.url) ?? ''
  const title = titleOf(card)
  const favourite = onFavourite && (() => onFavourite(item))
  const shownVideo = () => video.current?.element() ?? null
  const fullScreen = () => {
    if (document.fullscreenElement !== null) void document.exitFullscreen()
    else frame.current?.requestFullscreen?.().catch(() => undefined) // refused: it stays as it is
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (!isForViewer(event)) return
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const isVideo = artifact.medium === 'video'
    const acts = viewerKeys({isRtl, isVideo, go, video: video.current, image: image.current, fullScreen, favourite})
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  return (
    <FullScreenDialog open title={text('common.mediaViewer')} onClose={onClose} initialFocus={frame}>
      {/* the keys are for what is shown, not for the first of its buttons: Space plays */}
      <div ref={frame} className={styles.viewer} tabIndex={-1} onKeyDown={press}>
        <Head
          position={position}
          count={items.length}
          title={title}
          isFavourite={isFavourite?.(item) === true}
          onFavourite={favourite}
          onDetails={isWide ? undefined : () => setShowsDetails(true)}
          onClose={onClose}
        />
        <div className={styles.stage}>
          <Result
            isVideo={artifact.medium === 'video'}
            poster={safeUrl(artifact.previewUrl)}
            {...{url, title, volume, video, image, onPlay}}
            onFullScreen={fullScreen}
          />
          <Steps position={position} count={items.length} go={go} />
        </div>
        <Filmstrip items={items} position={position} titleOf={titleOf} onMove={onMove} />
        {/* near-black in both themes, as all of the viewer (design.md §10) */}
        {isWide && (
          <aside className={styles.details} data-theme="dark">
            {details(item, shownVideo)}
          </aside>
        )}
      </div>
      {!isWide && (
        <Drawer open={showsDetails} side="bottom" title={text('common.details')} onClose={() => setShowsDetails(false)}>
          <div className={styles.sheet}>{details(item, shownVideo)}</div>
        </Drawer>
      )}
    </FullScreenDialog>
  )
}

type ResultProps = Pick<ViewerProps, 'volume' | 'onPlay'> & {
  isVideo: boolean
  url: string
  poster: string | undefined
  title: string
  video: RefObject<VideoHandle | null>
  image: RefObject<ImageHandle | null>
  onFullScreen: () => void
}

function Result({isVideo, video, image, poster, volume, onPlay, ...commonProps}: ResultProps) {
  return isVideo ? (
    <VideoStage key={commonProps.url} ref={video} poster={poster} volume={volume} onPlay={onPlay} {...commonProps} />
  ) : (
    <ImageStage ref={image} {...commonProps} />
  )
}

type HeadProps = {
  position: number
  count: number
  title: string
  isFavourite: boolean
  onFavourite: (() => void) | undefined
  /** Undefined where the details have room beside the result. */
  onDetails: (() => void) | undefined
  onClose: () => void
}

function Head({position, count, title, isFavourite, onFavourite, onDetails, onClose}: HeadProps) {
  const text = useText()
  return (
    <div className={styles.top}>
      <span className={styles.times} aria-live="polite">
        <CountText value={position + 1} most={count} />
      </span>
      <span className={styles.grow} />
      {onFavourite !== undefined && <FavouriteButton title={title} isOn={isFavourite} onPress={onFavourite} />}
      {onDetails !== undefined && <IconButton label={text('common.details')} icon={<InfoIcon />} onClick={onDetails} />}
      <IconButton label={text('common.close')} keys="Esc" icon={<CloseIcon />} onClick={onClose} />
    </div>
  )
}

/** To the result before and the one after, as far as there are any. */
function Steps({position, count, go}: {position: number; count: number; go: (step: number) => void}) {
  const text = useText()
  return (
    <>
      {position > 0 && (
        <IconButton
          className={styles.previous}
          label={text('common.mediaPrevious')}
          icon={<ChevronStartIcon size={20} />}
          onClick={() => go(-1)}
        />
      )}
      {position < count - 1 && (
        <IconButton
          className={styles.next}
          label={text('common.mediaNext')}
          icon={<ChevronEndIcon size={20} />}
          onClick={() => go(1)}
        />
      )}
    </>
  )
}

type Acts = {
  isRtl: boolean
  isVideo: boolean
  go: (step: number) => void
  video: VideoHandle | null
  image: ImageHandle | null
  fullScreen: () => void
  favourite: (() => void) | undefined
}

/** The keys of the viewer. Time runs to the right in every language; from result to result as writing does. */
function viewerKeys({
  isRtl,
  isVideo,
  go,
  video,
  image,
  fullScreen,
  favourite,
}: Acts): Partial<Record<string, () => void>> {
  const onwards = isRtl ? -1 : 1
  return {
    PageDown: () => go(1),
    PageUp: () => go(-1),
    j: () => go(1),
    k: () => go(-1),
    f: fullScreen,
    ...(favourite === undefined ? {} : {s: favourite}),
    ...(isVideo
      ? {
          ArrowRight: () => video?.skip(5),
          ArrowLeft: () => video?.skip(-5),
          ' ': () => video?.toggle(),
          m: () => video?.mute(),
          ',': () => video?.step(-1),
          '.': () => video?.step(1),
        }
      : {
          ArrowRight: () => go(onwards),
          ArrowLeft: () => go(-onwards),
          '+': () => image?.zoomIn(),
          '=': () => image?.zoomIn(),
          '-': () => image?.zoomOut(),
          '0': () => image?.whole(),
        }),
  }
}
