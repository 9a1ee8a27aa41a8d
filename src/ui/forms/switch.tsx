import styles from './switch.module.css'

type SwitchProps = {
  id: string
  label: string
  help?: string | undefined
  value: boolean
  disabled?: boolean
  onChange: (value: boolean) => void
}

/** An on/off setting on one line with its name. */
export function Switch({id, label, help, value, disabled, onChange}: SwitchProps) {
  return (
    <div>
      <label htmlFor={id} className={styles.row}>
        {label}
        <input
          id={id}
          type="checkbox"
          role="switch"
          className={styles.switch}
          checked={value}
          disabled={disabled}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      </label>
      {help !== undefined && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}
