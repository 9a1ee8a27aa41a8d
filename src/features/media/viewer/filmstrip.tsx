import {useEffect, useRef} from 'react'
import {useText} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {ResultImage} from '../feed/result-image.tsx'
import {Still} from '../feed/still-image.tsx'
import type {ViewerItem} from './viewer-items.ts'
import styles from './viewer.module.css'

/** How many neighbours the strip shows on each side. */
const neighbours = 12

type FilmstripProps = {
  items: readonly ViewerItem[]
  position: number
  titleOf: (card: Card) => string
  onMove: (item: ViewerItem) => void
}

/** The neighbours of what is looked at. */
export function Filmstrip({items, position, titleOf, onMove}: FilmstripProps) {
  const text = useText()
  const current = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    current.current?.scrollIntoView({block: 'nearest', inline: 'center'})
  }, [position])
  if (items.length < 2) return <div />
  const from = Math.max(0, position - neighbours)
  return (
    <div className={styles.strip} role="group" aria-label={text('common.mediaFilmstrip')}>
      {items.slice(from, position + neighbours + 1).map((item, offset) => {
        const isCurrent = from + offset === position
        return (
          <button
            key={`${item.card.key}/${item.index}`}
            ref={isCurrent ? current : undefined}
            type="button"
            className={styles.thumb}
            aria-current={isCurrent || undefined}
            aria-label={text('common.mediaOpenOf', {title: titleOf(item.card)})}
            onClick={() => onMove(item)}
          >
            {item.artifact.medium === 'video' && item.artifact.previewUrl === undefined ? (
              <Still url={item.artifact.url} />
            ) : (
              <ResultImage url={item.artifact.previewUrl ?? item.artifact.url} alt="" />
            )}
          </button>
        )
      })}
    </div>
  )
}
