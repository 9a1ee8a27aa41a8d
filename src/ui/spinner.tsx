import styles from './spinner.module.css'

/** A spinning ring. Needs a label unless other text names what is loading. */
export function Spinner({label, size = 16}: {label?: string; size?: 14 | 16 | 20}) {
  return (
    <span
      className={styles.spinner}
      style={{inlineSize: size, blockSize: size}}
      {...(label === undefined ? {'aria-hidden': true} : {role: 'img', 'aria-label': label})}
    />
  )
}
