import type {ButtonHTMLAttributes, ReactNode, Ref} from 'react'
import {classNames} from './class-names.ts'
import styles from './button.module.css'
import {Spinner} from './spinner.tsx'

export type ButtonVariant = 'primary' | 'outline' | 'ghost' | 'danger'

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  variant?: ButtonVariant
  size?: 'sm' | 'md' | 'lg'
  icon?: ReactNode
  /** Keeps the width and shows a spinner instead of the icon. The button stays focusable; pressing it does nothing. */
  loading?: boolean
  className?: string | undefined
  ref?: Ref<HTMLButtonElement>
}

/** A labelled button. Without `type` it never submits a form. */
export function Button({
  variant = 'outline',
  size = 'md',
  icon,
  loading = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classNames(
        styles.button,
        styles[variant],
        styles[size],
        loading && icon === undefined && styles.waiting,
        className,
      )}
      aria-disabled={loading || undefined}
      onClick={(event) => {
        if (loading) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {loading ? <Spinner size={14} /> : icon}
      {children}
    </button>
  )
}
