import {ImageOr} from './image-or.tsx'
import styles from './avatar.module.css'

/** The user's image, or the first letter of their name where there is none to show. */
export function Avatar({name, source, size = 30}: {name: string; source?: string | undefined; size?: number}) {
  const letter = [...name.trim()][0]?.toLocaleUpperCase() ?? '?'
  return (
    <span
      className={styles.avatar}
      style={{inlineSize: size, blockSize: size, fontSize: Math.round(size * 0.37)}}
      aria-hidden="true"
    >
      <ImageOr className={styles.image} sources={[source]} referrerPolicy="no-referrer">
        {letter}
      </ImageOr>
    </span>
  )
}
