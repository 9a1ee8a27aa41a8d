import {useState, type ReactNode} from 'react'
import {Button} from '#ui/button.tsx'
import {AlertIcon, RetryIcon, ExternalLinkIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {retryUrl, safeUrl} from '../media-url.ts'
import styles from './result.module.css'

/** An image that does not load is asked for twice more, then it says so (contract/media §3). */
const mostAttempts = 2

type ResultImageProps = {
  url: string | undefined
  alt: string
  className?: string | undefined
  fit?: 'cover' | 'contain'
  /** Its own width and height, once it is loaded. */
  onSize?: ((width: number, height: number) => void) | undefined
  /** Replaces it when it cannot be loaded. Else that is said, unless the image goes with a text (no `alt`). */
  instead?: ReactNode
  /** Stands over the image, and not over its absence. */
  children?: ReactNode
}

/** A result that is an image, or the poster of one that moves. */
export function ResultImage({url, alt, className, fit = 'cover', onSize, instead, children}: ResultImageProps) {
  const [attempt, setAttempt] = useState(0)
  const [round, setRound] = useState(0)
  const source = safeUrl(url)
  if (source === undefined || attempt > mostAttempts) {
    if (instead !== undefined || alt === '') return instead
    return (
      <BrokenMedia
        url={source}
        onRetry={() => {
          setRound(round + 1)
          setAttempt(0)
        }}
      />
    )
  }
  return (
    <>
      <img
        key={round}
        className={className ?? styles.fill}
        style={{objectFit: fit}}
        src={retryUrl(source, attempt + round * (mostAttempts + 1))}
        alt={alt}
        loading="lazy"
        decoding="async"
        draggable={false}
        onLoad={({currentTarget: {naturalWidth, naturalHeight}}) => onSize?.(naturalWidth, naturalHeight)}
        onError={() => setAttempt(attempt + 1)}
      />
      {children}
    </>
  )
}

type BrokenMediaProps = {url: string | undefined; onRetry: () => void}

/** A result that is there, and whose file is not. */
export function BrokenMedia({url, onRetry}: BrokenMediaProps) {
  const text = useText()
  return (
    <span className={styles.broken} data-broken="">
      <AlertIcon />
      {text('common.mediaBroken')}
      <span className={styles.brokenActions}>
        <Button size="sm" icon={<RetryIcon size={14} />} onClick={onRetry}>
          {text('common.retry')}
        </Button>
        {url !== undefined && (
          <a className={styles.original} href={url} target="_blank" rel="noopener noreferrer">
            {text('common.mediaOriginal')}
            <ExternalLinkIcon size={14} />
          </a>
        )}
      </span>
    </span>
  )
}
