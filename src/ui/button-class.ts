import {type ButtonVariant} from './button.tsx'
import {classNames} from './class-names.ts'
import styles from './button.module.css'

/** The look of a button for what is a link: it goes somewhere, so it must be an `a`. */
export const buttonClass = (variant: ButtonVariant, size: 'sm' | 'md' | 'lg' = 'md'): string =>
  classNames(styles.button, styles[variant], styles[size])
