import styles from './avatar.module.css'

/** The user's image, or the first letter of their name. */
export function Avatar({name, source, size = 30}: {name: string; source?: string | undefined; size?: number}) {
  const letter = [...name.trim()][0]?.toLocaleUpperCase() ?? '?'
  return (
    <span
      className={styles.avatar}
      style={{inlineSize: size, blockSize: size, fontSize: Math.round(size * 0.37)}}
      aria-hidden="true"
    >
      {source === undefined ? (
        letter
      ) : (
        <img className={styles.image} src={source} alt="" referrerPolicy="no-referrer" />
      )}
    </span>
  )
}
