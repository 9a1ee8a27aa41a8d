import {type ButtonVariant} from './button.tsx'
import {classNames} from './class-names.ts'
import styles from './button.module.css'

/** Button styles for links: use on `<a>`. */
export const buttonClass = (variant: ButtonVariant, size: 'sm' | 'md' | 'lg' = 'md'): string =>
  classNames(styles.button, styles[variant], styles[size])
