import type {ReactNode} from 'react'
import styles from './field.module.css'

type FieldProps = {
  /** Of the control; the note has `{id}-note`, the label `{id}-label`. */
  id: string
  label: string
  /** A control that is several elements (radios, files) is named by its label instead of being labelled. */
  isGroup?: boolean
  /** At the end of the label's line: a count, "Optional", a value. */
  end?: ReactNode
  /** A control in that line; it stands outside of the label. */
  action?: ReactNode
  help?: string | undefined
  /** Replaces the help. */
  error?: string | undefined
  children: ReactNode
}

/** A control with its label and the sentence under it. */
export function Field({id, label, isGroup = false, end, action, help, error, children}: FieldProps) {
  const note = error ?? help
  const head = (
    <>
      <span id={`${id}-label`} dir="auto">
        {label}
      </span>
      {end !== undefined && <span className={styles.end}>{end}</span>}
    </>
  )
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        {isGroup ? (
          <div className={styles.head}>{head}</div>
        ) : (
          <label htmlFor={id} className={styles.head}>
            {head}
          </label>
        )}
        {action}
      </div>
      {children}
      {note !== undefined && (
        <p id={noteId(id)} className={error === undefined ? styles.note : styles.error}>
          {note}
        </p>
      )}
    </div>
  )
}

const noteId = (id: string) => `${id}-note`

/** What ties a control to the sentence under it. */
export const noteProps = (id: string, help: string | undefined, error: string | undefined) => ({
  ...(error === undefined && help === undefined ? {} : {'aria-describedby': noteId(id)}),
  ...(error === undefined ? {} : {'aria-invalid': true as const}),
})

/** `118 / 500`, isolated from the writing direction; red once it is over. */
export function Count({now, most}: {now: number; most: number}) {
  return (
    <bdi dir="ltr" className={now > most ? styles.over : undefined}>
      {now} / {most}
    </bdi>
  )
}
