import {createContext, useContext, useState} from 'react'
import {flushSync} from 'react-dom'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {ImageIcon, ExternalLinkIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import styles from './markdown.module.css'
import {isOwnFile} from './is-own-file.ts'
import {MediaPolicyContext} from './media-origins.ts'
import {safeLink} from './safe-link.ts'

/** Whether an enclosing link leads elsewhere: an image in it is no link of its own. */
export const LinkedImage = createContext(false)

const newTab = {target: '_blank', rel: 'noopener noreferrer nofollow ugc'}

/** Boxes of images that were shown, in pixels by address: one that comes back moves nothing. */
const shownBoxes = new Map<string, {inlineSize: number; blockSize: number}>()

type ShownImageProps = {address: string; description: string; onError: () => void}

/** An image, which opens at full size in a new tab. Its place is kept until it has come. */
function ShownImage({address, description, onError}: ShownImageProps) {
  const text = useText()
  const isLinked = useContext(LinkedImage)
  const [isLoading, setIsLoading] = useState(true)
  const image = (
    <img
      className={styles.image}
      src={address}
      alt={description}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      data-loading={isLoading || undefined}
      style={isLoading ? shownBoxes.get(address) : undefined}
      onLoad={({currentTarget}) => {
        // its place is given up before it is measured
        flushSync(() => setIsLoading(false))
        shownBoxes.set(address, {inlineSize: currentTarget.offsetWidth, blockSize: currentTarget.offsetHeight})
      }}
      onError={onError}
    />
  )
  if (isLinked) return image
  return (
    <a className={styles.imageOpen} href={address} aria-label={description || text('chat.image')} {...newTab}>
      {image}
    </a>
  )
}

/**
 * An image in untrusted text. Our own files load at once; others load only after a click, which names the host
 * (security R03). If the page's policy forbids it, the image opens in a new tab.
 */
export function MarkdownImage({source, description}: {source: string; description: string}) {
  const text = useText()
  const policy = useContext(MediaPolicyContext)
  const [isAsked, setIsAsked] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const url = safeLink(source, policy.pageOrigin)
  if (url === undefined || url.protocol === 'mailto:') return <>{description}</>
  if (hasFailed) {
    return (
      <span className={styles.imagePlace}>
        {text('chat.imageFailed')}
        <a className={styles.imageLink} href={url.href} {...newTab}>
          <bdi>{url.host}</bdi>
          <ExternalLinkIcon size={14} />
        </a>
      </span>
    )
  }
  if (isAsked || isOwnFile(url, policy)) {
    return <ShownImage address={url.href} description={description} onError={() => setHasFailed(true)} />
  }
  return (
    <span className={styles.imagePlace}>
      <ImageIcon />
      <span dir="auto">{description === '' ? text('chat.image') : description}</span>
      {policy.loadsForeign ? (
        <Button size="sm" onClick={() => setIsAsked(true)}>
          {text('chat.loadImage', {host: url.host})}
        </Button>
      ) : (
        <a className={buttonClass('outline', 'sm')} href={url.href} {...newTab}>
          {text('chat.openImage', {host: url.host})}
          <ExternalLinkIcon size={14} />
        </a>
      )}
    </span>
  )
}
