import {useRef, type KeyboardEvent, type ReactNode} from 'react'
import styles from './segmented.module.css'

export type SegmentedOption<Value extends string> = {
  value: Value
  label: string
  /** Shown beside the label, never instead of it. */
  icon?: ReactNode
  disabled?: boolean
}

type SegmentedProps<Value extends string> = {
  label: string
  options: readonly SegmentedOption<Value>[]
  value: Value
  onChange: (value: Value) => void
  'aria-describedby'?: string
}

/** Two to four options, one of them selected. Arrow keys move, as in a radio group. */
export function Segmented<Value extends string>({label, options, value, onChange, ...rest}: SegmentedProps<Value>) {
  const group = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const towardsEnd = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const towardsStart = towardsEnd === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
    const step = event.key === towardsEnd ? 1 : event.key === towardsStart ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const usable = options.filter((option) => option.disabled !== true)
    const at = usable.findIndex((option) => option.value === value)
    const next = usable[(at + step + usable.length) % usable.length]
    if (next === undefined) return
    onChange(next.value)
    group.current?.querySelector<HTMLButtonElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus()
  }
  return (
    <div ref={group} className={styles.segmented} role="radiogroup" aria-label={label} {...rest} onKeyDown={move}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          data-value={option.value}
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          disabled={option.disabled}
          className={styles.option}
          onClick={() => onChange(option.value)}
        >
          {option.icon}
          {option.label}
        </button>
      ))}
    </div>
  )
}
