import type {MediaGroup} from '#contract/media/media-tool.ts'
import {useText} from '#ui/text.tsx'
import styles from './empty-feed.module.css'

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
