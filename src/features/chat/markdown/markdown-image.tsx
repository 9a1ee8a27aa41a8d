import {useContext, useState} from 'react'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {ImageIcon, ExternalLinkIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import styles from './markdown.module.css'
import {isOwnFile} from './is-own-file.ts'
import {MediaPolicyContext} from './media-origins.ts'
import {safeLink} from './safe-link.ts'

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
        <a className={styles.imageLink} href={url.href} target="_blank" rel="noopener noreferrer nofollow ugc">
          <bdi>{url.host}</bdi>
          <ExternalLinkIcon size={14} />
        </a>
      </span>
    )
  }
  if (isAsked || isOwnFile(url, policy)) {
    return (
      <img
        className={styles.image}
        src={url.href}
        alt={description}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setHasFailed(true)}
      />
    )
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
        <a
          className={buttonClass('outline', 'sm')}
          href={url.href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
        >
          {text('chat.openImage', {host: url.host})}
          <ExternalLinkIcon size={14} />
        </a>
      )}
    </span>
  )
}
