import type {ReactNode} from 'react'
import {CountText} from '../count-text.tsx'
import styles from './field.module.css'

type FieldProps = {
  /** Id of the control. The note gets `{id}-note`, the label `{id}-label`, the end of its line `{id}-end`. */
  id: string
  label: string
  /** Set for a control of several elements (radios, files): it is named by `aria-labelledby` instead of `for`. */
  isGroup?: boolean
  /** Shown at the end of the label's line: a count, "Optional", a value. Not a part of the control's name. */
  end?: ReactNode
  /** A control in that line, outside the label. */
  action?: ReactNode
  help?: string | undefined
  /** Replaces the help. */
  error?: string | undefined
  children: ReactNode
}

/** A control with its label and the sentence under it. */
export function Field({id, label, isGroup = false, end, action, help, error, children}: FieldProps) {
  const note = error ?? help
  const name = (
    <span id={`${id}-label`} dir="auto">
      {label}
    </span>
  )
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        {isGroup ? (
          <div className={styles.head}>{name}</div>
        ) : (
          <label htmlFor={id} className={styles.head}>
            {name}
          </label>
        )}
        {end !== undefined && (
          <span id={endId(id)} className={styles.end}>
            {end}
          </span>
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
const endId = (id: string) => `${id}-end`

/** Connects a control to its note, and to the end of its label's line where screen readers should read that too. */
export function noteProps(id: string, help: string | undefined, error: string | undefined, hasEnd = false) {
  const noteIds = [...(hasEnd ? [endId(id)] : []), ...(error === undefined && help === undefined ? [] : [noteId(id)])]
  return {
    ...(noteIds.length === 0 ? {} : {'aria-describedby': noteIds.join(' ')}),
    ...(error === undefined ? {} : {'aria-invalid': true as const}),
  }
}

/** `118 / 500`, isolated from the writing direction; red above the limit. */
export function Count({now, most}: {now: number; most: number}) {
  return <CountText className={now > most ? styles.over : undefined} value={now} most={most} />
}
