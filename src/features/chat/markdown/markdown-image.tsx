import {useContext, useState} from 'react'
import {flushSync} from 'react-dom'
import {isForFrame} from '#domain/image-frame.ts'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {iconButtonClass} from '#ui/icon-button-class.ts'
import {ImageIcon, ExternalLinkIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {Tooltip} from '#ui/tooltip.tsx'
import {lazyModule} from '#ui/use-lazy.ts'
import styles from './markdown-image.module.css'
import {isOwnFile} from './is-own-file.ts'
import {LinkedImage} from './linked-image.ts'
import {MediaPolicyContext, type MediaPolicy} from './media-origins.ts'
import {newTab} from './new-tab.ts'
import {safeLink} from './safe-link.ts'
import {ShownImages, TextMessage} from './shown-images.ts'

type ShownImageProps = {address: string; description: string; onError: () => void}

/** An image, which opens at full size in a new tab. Its room is kept until it has come. */
function ShownImage({address, description, onError}: ShownImageProps) {
  const text = useText()
  const isLinked = useContext(LinkedImage)
  const shownImages = useContext(ShownImages)
  const [isLoading, setIsLoading] = useState(true)
  const box = isLoading ? shownImages.get(address) : undefined
  const image = (
    <img
      className={styles.image}
      src={address}
      alt={description}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      data-loading={isLoading || undefined}
      style={box && {inlineSize: box.width, blockSize: box.height}}
      onLoad={({currentTarget}) => {
        // its room is given up before it is measured
        flushSync(() => setIsLoading(false))
        shownImages.set(address, {width: currentTarget.offsetWidth, height: currentTarget.offsetHeight})
      }}
      onError={onError}
    />
  )
  if (isLinked) return image
  return (
    <a className={styles.open} href={address} aria-label={description || text('chat.image')} {...newTab}>
      {image}
    </a>
  )
}

/** The frame comes with the first image that is loaded in one. */
const frames = lazyModule(() => import('./framed-image.tsx'))

/** How far a foreign image is. `focused`: in its frame, by a key that had the focus. */
type Phase = 'offered' | 'waiting' | 'framed' | 'focused' | 'here' | 'failed'

type Way = 'here' | 'framed' | 'elsewhere'

/** How the page may show an image: itself, in a frame of our server, or not at all. */
function wayOf(url: URL, policy: MediaPolicy): Way {
  const {foreignImages, pageOrigin} = policy
  if (foreignImages === true || isOwnFile(url, policy)) return 'here'
  return foreignImages === 'framed' && isForFrame(url, pageOrigin) ? 'framed' : 'elsewhere'
}

/** Opens the image in a new tab, as the only way or beside the key that loads it. */
function ImageLink({url, way, hasFailed}: {url: URL; way: Way; hasFailed: boolean}) {
  const text = useText()
  const isLinked = useContext(LinkedImage)
  const label = text('chat.openImage', {host: url.host})
  if (isLinked) return null
  if (hasFailed) {
    return (
      <a className={styles.link} href={url.href} {...newTab}>
        <bdi>{url.host}</bdi>
        <ExternalLinkIcon size={14} />
      </a>
    )
  }
  if (way === 'elsewhere') {
    return (
      <a className={buttonClass('outline', 'sm')} href={url.href} {...newTab}>
        {label}
        <ExternalLinkIcon size={14} />
      </a>
    )
  }
  return (
    <Tooltip text={label}>
      <a className={iconButtonClass('sm')} href={url.href} aria-label={label} {...newTab}>
        <ExternalLinkIcon size={14} />
      </a>
    </Tooltip>
  )
}

type PlaceholderProps = {url: URL; description: string; phase: Phase; way: Way; onPhase: (phase: Phase) => void}

/** Stands for an image that loads after a press alone, and says at which host it is. */
function ImagePlaceholder({url, description, phase, way, onPhase}: PlaceholderProps) {
  const text = useText()
  const ask = async (key: HTMLButtonElement) => {
    if (way === 'here') return onPhase('here')
    onPhase('waiting')
    const hasCome = await frames.load().then(
      () => true,
      () => false,
    )
    const isFocused = document.activeElement === key
    onPhase(hasCome ? (isFocused ? 'focused' : 'framed') : 'failed')
  }
  const hasFailed = phase === 'failed'
  return (
    <span className={styles.placeholder} dir="auto">
      {hasFailed ? (
        text('chat.imageFailed')
      ) : (
        <>
          <ImageIcon />
          <span dir="auto">{description === '' ? text('chat.image') : description}</span>
        </>
      )}
      <span className={styles.keys}>
        {way !== 'elsewhere' && (
          <Button
            size="sm"
            loading={phase === 'waiting'}
            onClick={(event) => {
              event.preventDefault() // of a link around it
              void ask(event.currentTarget)
            }}
          >
            {hasFailed ? text('common.retry') : text('chat.loadImage', {host: url.host})}
          </Button>
        )}
        <ImageLink url={url} way={way} hasFailed={hasFailed} />
      </span>
    </span>
  )
}

/** The address has been checked. */
function AddressedImage({url, description}: {url: URL; description: string}) {
  const policy = useContext(MediaPolicyContext)
  const message = useContext(TextMessage)
  const shownImages = useContext(ShownImages)
  const shownAs = message && `${message} ${url.href}`
  const [phase, setPhase] = useState<Phase>(shownAs !== undefined && shownImages.has(shownAs) ? 'framed' : 'offered')
  if (frames.loaded !== undefined && (phase === 'framed' || phase === 'focused')) {
    const {FramedImage} = frames.loaded
    return <FramedImage {...{url, description, shownAs}} takesFocus={phase === 'focused'} />
  }
  if (phase === 'here' || (phase === 'offered' && isOwnFile(url, policy))) {
    return <ShownImage address={url.href} description={description} onError={() => setPhase('failed')} />
  }
  return (
    <ImagePlaceholder url={url} description={description} phase={phase} way={wayOf(url, policy)} onPhase={setPhase} />
  )
}

/**
 * An image in untrusted text. Our own files load at once; others load only after a press, whose key names the host
 * (security R03), and on pages of our server in a frame (docs/decisions/0173). Others open in a new tab.
 */
export function MarkdownImage({source, description}: {source: string; description: string}) {
  const {pageOrigin} = useContext(MediaPolicyContext)
  const url = safeLink(source, pageOrigin)
  if (url === undefined || url.protocol === 'mailto:') return <>{description}</>
  // a press counts for one address: another version of the message may have another image at this position
  return <AddressedImage key={url.href} url={url} description={description} />
}
