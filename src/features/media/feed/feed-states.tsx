import type {CSSProperties} from 'react'
import type {MediaGroup} from '#contract/media/media-tool.ts'
import {Button} from '#ui/button.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
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

type EmptyFeedProps = {group: MediaGroup; examples: readonly string[]; onExample: (index: number) => void}

const emptyText = {
  image: 'common.mediaEmptyImage',
  video: 'common.mediaEmptyVideo',
  music: 'common.mediaEmptyMusic',
} as const

/** Nothing was made yet: says what will be here, and three prompts that fill the form (design.md §11). */
export function EmptyFeed({group, examples, onExample}: EmptyFeedProps) {
  const text = useText()
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>{text(emptyText[group])}</p>
      <ul className={styles.examples} aria-label={text('common.mediaExamples')}>
        {examples.map((example, index) => (
          <li key={index} style={{display: 'grid'}}>
            <button type="button" className={styles.example} dir="auto" onClick={() => onExample(index)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The filters leave nothing over; they stay in sight. */
export function NothingMatches({onClear}: {onClear: () => void}) {
  const text = useText()
  return (
    <EmptyState
      title={text('common.mediaNothingMatches')}
      action={<Button onClick={onClear}>{text('common.mediaClearFilters')}</Button>}
    />
  )
}
