import styles from './segmented.module.css'

/** The look of `Segmented` for links: where they lead is another page, so that they can be opened in a new tab. */
export const segmentedClass = {frame: styles.segmented, option: styles.option}
