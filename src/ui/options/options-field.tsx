import type {InputHTMLAttributes, KeyboardEvent} from 'react'
import {classNames} from '../class-names.ts'
import styles from './options.module.css'
import type {Options} from './use-options.ts'

type OptionsFieldProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'className' | 'aria-haspopup' | 'aria-keyshortcuts'
> & {
  label: string
  options: Options
  query: string
  onQuery: (query: string) => void
  /** Text that was typed before the field was there. */
  takeTyped: () => string
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** The field that searches options and keeps the focus while keys go through them. */
export function OptionsField(props: OptionsFieldProps) {
  const {className, label, options, query, onQuery, takeTyped, ...rest} = props
  const search = (text: string) => {
    onQuery(text)
    options.reach(undefined)
  }
  return (
    <input
      {...rest}
      className={classNames(styles.field, className)}
      role="combobox"
      aria-expanded="true"
      aria-autocomplete="list"
      aria-controls={options.listId}
      aria-activedescendant={options.currentId}
      aria-label={label}
      placeholder={label}
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="go"
      value={query}
      onFocus={() => {
        const typedText = takeTyped()
        if (typedText !== '') search(query + typedText)
      }}
      onChange={(event) => search(event.currentTarget.value)}
    />
  )
}
