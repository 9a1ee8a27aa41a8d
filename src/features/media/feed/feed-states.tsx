import type {CSSProperties} from 'react'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {titleOf} from '../card-title.ts'
import {useMedia} from '../media.context.ts'
import {useToolText} from '../use-tool-text.ts'
import {stateText} from './state-text.ts'
import styles from './feed.module.css'

/** Stands for the feed while it loads, in its final geometry. */
export function FeedSkeleton({ratio}: {ratio: number}) {
  const text = useText()
  // as: custom properties are not in the type of a style
  const style = {'--ratio': ratio} as CSSProperties
  return (
    <div className={styles.skeleton} style={style} role="status" aria-label={text('common.loading')}>
      {Array.from({length: 6}, (_, position) => (
        <span key={position} className={styles.skeletonCard}>
          <Skeleton radius="var(--r-lg)" />
          <Skeleton inlineSize="80%" blockSize={13} />
          <Skeleton inlineSize="45%" blockSize={12} />
        </span>
      ))}
    </div>
  )
}

/** Requests just sent, in words, until the list of results is there: without a network it waits for one too. */
export function SentRequests({cards, ratio}: {cards: readonly Card[]; ratio: number}) {
  const media = useMedia()
  const text = useText()
  const toolText = useToolText(media.identity.id)
  // as: custom properties are not in the type of a style
  const style = {'--ratio': ratio} as CSSProperties
  return (
    <section role="feed" aria-label={text('common.mediaResults')} aria-busy className={styles.skeleton} style={style}>
      {cards.map((card) => (
        <article key={card.key} className={styles.skeletonCard} aria-labelledby={`sent-${card.key}`}>
          <p role="status" className={styles.sent}>
            {text(stateText[card.state])}
          </p>
          <p id={`sent-${card.key}`} dir="auto">
            {titleOf(media, card, toolText, text)}
          </p>
        </article>
      ))}
    </section>
  )
}
