import {classNames} from './class-names.ts'
import styles from './icon-button.module.css'

/** Styles of an icon button, for a `button` that is written out. */
export const iconButtonClass = (size: 'sm' | 'md'): string => classNames(styles.iconButton, size === 'sm' && styles.sm)
