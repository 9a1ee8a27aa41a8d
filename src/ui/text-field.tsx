import {useId, type InputHTMLAttributes, type Ref} from 'react'
import {useText} from './text.tsx'
import styles from './text-field.module.css'

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> & {
  label: string
  /** Help text, shown while there is no error. */
  help?: string
  /** Replaces the help; screen readers read it with the field. */
  error?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** One line of text with its label, help and error. */
export function TextField({label, help, error, required, ...rest}: TextFieldProps) {
  const text = useText()
  const id = useId()
  const note = error ?? help
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {required === true && <span className={styles.required}>{text('common.required')}</span>}
      </label>
      <input
        dir="auto"
        {...rest}
        id={id}
        required={required}
        className={styles.input}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? styles.help : styles.error}>
          {note}
        </p>
      )}
    </div>
  )
}
