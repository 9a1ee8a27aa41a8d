import type {CSSProperties} from 'react'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import styles from './feed.module.css'

/** What is loading, in its final geometry. */
export function FeedSkeleton({ratio}: {ratio: number}) {
  const text = useText()
  // as: custom properties are not in the type of a style
  const style = {'--ratio': ratio} as CSSProperties
  return (
    <div className={styles.skeleton} style={style} role="status" aria-label={text('common.loading')}>
      {Array.from({length: 6}, (_, place) => (
        <span key={place} className={styles.skeletonCard}>
          <Skeleton radius="var(--r-lg)" />
          <Skeleton inlineSize="80%" blockSize={13} />
          <Skeleton inlineSize="45%" blockSize={12} />
        </span>
      ))}
    </div>
  )
}
