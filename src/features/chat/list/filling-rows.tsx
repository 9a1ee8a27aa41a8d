import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import styles from './rows.module.css'

const widths = ['72%', '54%', '63%']

/** Below what is listed so far: the rest is still being read. */
export function FillingRows() {
  const text = useText()
  return (
    <div role="img" aria-label={text('common.loading')} className={styles.filling}>
      {widths.map((width) => (
        <Skeleton key={width} inlineSize={width} blockSize={14} />
      ))}
    </div>
  )
}
