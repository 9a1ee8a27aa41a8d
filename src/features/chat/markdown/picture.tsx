import {useContext, useState} from 'react'
import {Button} from '#ui/button.tsx'
import {ExternalLinkIcon, ImageIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import styles from './markdown.module.css'
import {MediaPolicyContext} from './media-origins.ts'
import {safeLink} from './safe-link.ts'

/**
 * A picture of a text we did not write. From our own origin it shows; from any other it makes no request until the
 * person asks for it, and says which host would learn of that (security R03).
 */
export function Picture({source, description}: {source: string; description: string}) {
  const text = useText()
  const {pageOrigin, ownOrigins} = useContext(MediaPolicyContext)
  const [asked, setAsked] = useState(false)
  const [failed, setFailed] = useState(false)
  const url = safeLink(source, pageOrigin)
  if (url === undefined || url.protocol === 'mailto:') return <>{description}</>
  if (failed) {
    return (
      <span className={styles.picturePlace}>
        {text('chat.imageFailed')}
        <a className={styles.pictureLink} href={url.href} target="_blank" rel="noopener noreferrer nofollow ugc">
          <bdi>{url.host}</bdi>
          <ExternalLinkIcon size={14} />
        </a>
      </span>
    )
  }
  if (asked || ownOrigins.includes(url.origin)) {
    return (
      <img
        className={styles.picture}
        src={url.href}
        alt={description}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailed(true)}
      />
    )
  }
  return (
    <span className={styles.picturePlace}>
      <ImageIcon />
      <span dir="auto">{description === '' ? text('chat.image') : description}</span>
      <Button size="sm" onClick={() => setAsked(true)}>
        {text('chat.loadImage', {host: url.host})}
      </Button>
    </span>
  )
}
