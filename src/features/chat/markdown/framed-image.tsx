import {useActor} from '@xstate/react'
import {useCallback, useContext, useEffect, useRef, type CSSProperties} from 'react'
import {fillImageFrame} from '#browser/image-frame.ts'
import {imageFramePath} from '#domain/image-frame.ts'
import {framedImageMachine, type FramedImageSnapshot} from '#machines/framed-image/framed-image.machine.ts'
import {Button} from '#ui/button.tsx'
import {ExternalLinkIcon} from '#ui/icons.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {useText} from '#ui/text.tsx'
import styles from './framed-image.module.css'
import {LinkedImage} from './linked-image.ts'
import imageStyles from './markdown-image.module.css'
import {newTab} from './new-tab.ts'
import {ShownImages} from './shown-images.ts'

/** Pixels; as high as other images of a text. */
const mostHeight = 420

/** The box of an image: its own size, or as high as an image may be. A narrow column makes it smaller. */
const boxOf = (size: FramedImageSnapshot['context']['size']): CSSProperties | undefined =>
  size && {
    inlineSize: Math.min(size.width, (mostHeight * size.width) / size.height),
    aspectRatio: `${size.width} / ${size.height}`,
  }

/** Keeps cookies of other pages out, where the browser can do so; the types of React do not know the attribute. */
const withoutCredentials = {credentialless: true}

type FrameProps = {address: string; name: string; onReport: Parameters<typeof fillImageFrame>[2]}

function Frame({address, name, onReport}: FrameProps) {
  const fill = useCallback(
    (frame: HTMLIFrameElement | null) => (frame === null ? undefined : fillImageFrame(frame, address, onReport)),
    [address, onReport],
  )
  return (
    <iframe
      {...withoutCredentials}
      ref={fill}
      className={styles.frame}
      src={imageFramePath}
      title={name}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      tabIndex={-1}
    />
  )
}

type FramedImageProps = {
  url: URL
  description: string
  /** Under which it is kept that it was shown. */
  shownAs: string | undefined
  /** The key that asked for it had the focus: the link that opens the image has it then. */
  takesFocus: boolean
}

/**
 * An image of another host in a frame that our server sends for it (docs/decisions/0173). A press opens it in a new
 * tab, as it does with other images.
 */
export function FramedImage({url, description, shownAs, takesFocus}: FramedImageProps) {
  const text = useText()
  const isLinked = useContext(LinkedImage)
  const shownImages = useContext(ShownImages)
  const [snapshot, send] = useActor(framedImageMachine)
  const link = useRef<HTMLAnchorElement>(null)
  // in an effect: the thread has followed its growth by then, which a focus out of sight would end
  useEffect(() => {
    if (takesFocus) link.current?.focus()
  }, [takesFocus])
  const {size} = snapshot.context
  const hasFailed = snapshot.matches('failed')
  useEffect(() => {
    if (shownAs === undefined) return
    if (size !== undefined) shownImages.set(shownAs, size)
    // its next return waits for a press
    if (hasFailed) shownImages.delete(shownAs)
  }, [shownImages, shownAs, size, hasFailed])
  const isShown = snapshot.matches('shown')
  return (
    <span
      className={hasFailed ? imageStyles.placeholder : styles.placeholder}
      dir="auto"
      style={hasFailed ? undefined : boxOf(size ?? shownImages.get(shownAs ?? ''))}
      aria-busy={!hasFailed && !isShown}
    >
      {!hasFailed && (
        <Frame
          key={snapshot.context.attempt}
          address={url.href}
          name={description || text('chat.image')}
          onReport={send}
        />
      )}
      {!hasFailed && !isShown && <Spinner size={20} />}
      <span role="status">{hasFailed && text('chat.imageFailed')}</span>
      {hasFailed && (
        <Button
          size="sm"
          onClick={(event) => {
            event.preventDefault() // of a link around it
            link.current?.focus()
            send({type: 'image.retry'})
          }}
        >
          {text('common.retry')}
        </Button>
      )}
      {!isLinked && (
        <a
          ref={link}
          className={hasFailed ? imageStyles.link : styles.open}
          href={url.href}
          aria-label={text('chat.openImage', {host: url.host})}
          {...newTab}
        >
          {hasFailed && (
            <>
              <bdi>{url.host}</bdi>
              <ExternalLinkIcon size={14} />
            </>
          )}
        </a>
      )}
    </span>
  )
}
