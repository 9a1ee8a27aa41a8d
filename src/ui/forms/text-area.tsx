import {classNames} from '../class-names.ts'
import styles from './text-area.module.css'

type TextAreaProps = {
  id: string
  value: string
  onChange: (value: string) => void
  /** Lines when empty; the area grows with its text up to ten. 1 makes a field of one line. */
  rows: number
  placeholder?: string | undefined
  autoFocus?: boolean
  readOnly?: boolean
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** Rem. */
const lineHeight = 21 / 16
/** Pixels, above and below the lines together. */
const inset = 22

/** Without a placeholder, `:placeholder-shown` does not match an empty field (base.css). */
const blank = ' '

/** A text field that grows with its content (`field-sizing`; other browsers scroll). */
export function TextArea({rows, onChange, placeholder = blank, ...rest}: TextAreaProps) {
  return (
    <textarea
      {...rest}
      placeholder={placeholder}
      dir="auto"
      className={styles.area}
      style={{minBlockSize: `calc(${rows * lineHeight}rem + ${inset}px)`}}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type LineInputProps = Omit<TextAreaProps, 'rows'>

/** A one-line text field styled like a text area. */
export function LineInput({onChange, placeholder = blank, ...rest}: LineInputProps) {
  return (
    <input
      {...rest}
      placeholder={placeholder}
      type="text"
      dir="auto"
      className={classNames(styles.area, styles.input)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type NumberInputProps = Omit<TextAreaProps, 'value' | 'onChange' | 'rows'> & {
  value: number | undefined
  least: number
  most: number
  /** `undefined`: the field is empty. */
  onChange: (value: number | undefined) => void
}

/** A number field. Text that is not a number is not reported. */
export function NumberInput({value, least, most, onChange, ...rest}: NumberInputProps) {
  return (
    <input
      {...rest}
      type="number"
      dir="ltr"
      inputMode="numeric"
      min={least}
      max={most}
      className={classNames(styles.area, styles.input)}
      value={value ?? ''}
      onChange={(event) => {
        const typedNumber = event.currentTarget.valueAsNumber
        if (event.currentTarget.value === '') onChange(undefined)
        else if (Number.isFinite(typedNumber)) onChange(typedNumber)
      }}
    />
  )
}
