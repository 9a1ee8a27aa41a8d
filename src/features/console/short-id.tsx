import {CopyButton} from '#ui/copy-button.tsx'
import {useText} from '#ui/text.tsx'
import styles from './short-id.module.css'

/** `7f3c…a91e`: enough to tell two ids apart. */
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id)

/** A short id with a button that copies all of it. */
export function ShortId({id}: {id: string}) {
  const text = useText()
  return (
    <span className={styles.id}>
      <code dir="ltr" title={id}>
        {shortId(id)}
      </code>
      <CopyButton value={() => id} label={text('console.copyId')} />
    </span>
  )
}
