import {ChevronDownIcon} from '../icons.tsx'
import styles from './select.module.css'

export type SelectOption = {value: string; label: string}

type SelectProps = {
  id: string
  options: readonly SelectOption[]
  value: string
  onChange: (value: string) => void
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** A native select: it works by keyboard, by touch and in every language. */
export function Select({options, onChange, ...rest}: SelectProps) {
  return (
    <span className={styles.box}>
      <select {...rest} className={styles.select} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <span className={styles.chevron}>
        <ChevronDownIcon size={14} />
      </span>
    </span>
  )
}
