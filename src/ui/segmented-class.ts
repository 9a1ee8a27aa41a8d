import styles from './segmented.module.css'

/** `Segmented` styles for links, so that each option can open in a new tab. */
export const segmentedClass = {frame: styles.segmented, option: styles.option}
