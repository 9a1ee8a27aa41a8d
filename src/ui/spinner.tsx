import styles from './spinner.module.css'

/** A turning ring. Give it a label where nothing else says what is being waited for. */
export function Spinner({label, size = 16}: {label?: string; size?: 14 | 16 | 20}) {
  return (
    <span
      className={styles.spinner}
      style={{inlineSize: size, blockSize: size}}
      {...(label === undefined ? {'aria-hidden': true} : {role: 'img', 'aria-label': label})}
    />
  )
}
