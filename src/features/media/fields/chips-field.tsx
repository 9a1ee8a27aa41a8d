import {useMemo, useState, type KeyboardEvent} from 'react'
import {Chip} from '#ui/forms/chip.tsx'
import {Field, noteProps} from '#ui/forms/field.tsx'
import {lazyModule, useLazy} from '#ui/use-lazy.ts'
import {helpOf, textsOf, type FieldProps} from './field-props.ts'
import styles from './fields.module.css'

/** Words of several lists, one group open at a time. The lists are loaded when the field is reached, or has words. */
export function ChipsField(props: FieldProps<'chips'>) {
  const {id, field, form, toolText, error, onChange} = props
  const chosenValues = textsOf(form[field.key])
  const [open, setOpen] = useState<string>()
  const [isReached, setReached] = useState(chosenValues.length > 0)
  const lists = useLazy(
    useMemo(() => lazyModule(field.words), [field.words]),
    isReached,
  )
  const help = helpOf(props)
  const reach = () => setReached(true)
  const toggle = (word: string) =>
    onChange(
      field.key,
      chosenValues.includes(word) ? chosenValues.filter((other) => other !== word) : [...chosenValues, word],
    )
  return (
    <Field
      id={id}
      label={toolText(field.label)}
      isGroup
      end={chosenValues.length > 0 ? <bdi dir="ltr">{chosenValues.length}</bdi> : undefined}
      help={help}
      error={error}
    >
      <div
        role="group"
        aria-labelledby={`${id}-label`}
        className={styles.groups}
        onFocus={reach}
        onPointerEnter={reach}
        {...noteProps(id, help, undefined)}
      >
        {field.groups.map(({id: group, label}) => {
          const words = lists?.[group] ?? []
          const count = words.filter((word) => chosenValues.includes(word)).length
          return (
            <details
              key={group}
              className={styles.group}
              open={open === group}
              onToggle={(event) => {
                reach()
                if (event.currentTarget.open) setOpen(group)
                else if (open === group) setOpen(undefined)
              }}
            >
              <summary className={styles.groupName}>
                {toolText(label)}
                {count > 0 && <bdi dir="ltr">{count}</bdi>}
              </summary>
              {open === group && (
                <Words label={toolText(label)} words={words} chosen={chosenValues} onToggle={toggle} />
              )}
            </details>
          )
        })}
      </div>
    </Field>
  )
}

type WordsProps = {label: string; words: readonly string[]; chosen: readonly string[]; onToggle: (word: string) => void}

/** A long list is one tab stop: arrows go from word to word, Home and End to its ends. */
function Words({label, words, chosen, onToggle}: WordsProps) {
  const [current, setCurrent] = useState(0)
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const [next, previous] = isRightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    const positions: Record<string, number> = {
      [next]: current + 1,
      ArrowDown: current + 1,
      [previous]: current - 1,
      ArrowUp: current - 1,
      Home: 0,
      End: words.length - 1,
    }
    const position = positions[event.key]
    if (position === undefined) return
    event.preventDefault()
    event.currentTarget.querySelectorAll('button')[position]?.focus()
  }
  return (
    <div role="toolbar" aria-label={label} className={styles.tiles} onKeyDown={move}>
      {words.map((word, position) => (
        <span key={word} onFocus={() => setCurrent(position)}>
          <Chip
            outlined
            pressed={chosen.includes(word)}
            tabIndex={position === current ? 0 : -1}
            onPress={() => onToggle(word)}
          >
            <bdi dir="auto">{word}</bdi>
          </Chip>
        </span>
      ))}
    </div>
  )
}
