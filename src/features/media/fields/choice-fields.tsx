import {useLayoutEffect, useRef, useState} from 'react'
import {Chip} from '#ui/forms/chip.tsx'
import {Field, noteProps} from '#ui/forms/field.tsx'
import {Select} from '#ui/forms/select.tsx'
import {Segmented} from '#ui/segmented.tsx'
import {useText} from '#ui/text.tsx'
import {choicesOf, type AnyChoice, type ChoiceField as ChoiceFieldValue} from '../any-tool.ts'
import {choiceText} from '../use-tool-text.ts'
import {helpOf, type FieldProps} from './field-props.ts'
import {RatioGlyph} from './ratio-glyph.tsx'
import styles from './fields.module.css'

type ChoiceProps = FieldProps<ChoiceFieldValue['kind']>

/** Options have text values; the form has the values of the tool. */
const keyOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
const valueOf = (choices: readonly AnyChoice[], key: string) => choices.find(({value}) => keyOf(value) === key)?.value

/** One of several values, in the list of the platform. */
export function SelectField(props: ChoiceProps) {
  const {id, field, form, toolText, error, onChange} = props
  const text = useText()
  const choices = choicesOf(field, form)
  const help = helpOf(props)
  const options = choices.map((choice) => ({value: keyOf(choice.value), label: choiceText(toolText, choice)}))
  const hasEmpty = options.some(({value}) => value === '')
  const nothing = field.none === undefined ? text('common.mediaNone') : toolText(field.none)
  const none = field.isClearable === true && !hasEmpty ? [{value: '', label: nothing}] : []
  return (
    <Field id={id} label={toolText(field.label)} help={help} error={error}>
      <Select
        id={id}
        options={[...none, ...options]}
        value={keyOf(form[field.key])}
        onChange={(key) => onChange(field.key, valueOf(choices, key) ?? '')}
        {...noteProps(id, help, error)}
      />
    </Field>
  )
}

/** Two to five values side by side; a list when their names do not fit (design.md §7). */
export function SegmentedField(props: ChoiceProps) {
  const {id, field, form, toolText, error, onChange} = props
  const row = useRef<HTMLDivElement>(null)
  const choices = choicesOf(field, form)
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    const element = row.current
    if (element === null) return
    const measure = () => {
      const group = element.firstElementChild
      if (group !== null && group.scrollWidth > group.clientWidth + 1) setOverflows(true)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [choices.length])
  if (overflows) return <SelectField {...props} />
  const help = helpOf(props)
  const current = keyOf(form[field.key])
  return (
    <Field id={id} label={toolText(field.label)} isGroup help={help} error={error}>
      <div ref={row} className={styles.segmented} data-kind={field.kind}>
        <Segmented
          label={toolText(field.label)}
          options={choices.map((choice) => ({
            value: keyOf(choice.value),
            label: choiceText(toolText, choice),
            ...(field.kind === 'ratio' ? {icon: <RatioGlyph ratio={keyOf(choice.value)} />} : {}),
          }))}
          value={current}
          onChange={(key) =>
            onChange(field.key, field.isClearable === true && key === current ? '' : valueOf(choices, key))
          }
          {...noteProps(id, help, undefined)}
        />
      </div>
    </Field>
  )
}

/** Modes of the tool: they change which fields there are. */
export function TabsField({field, form, toolText, onChange}: ChoiceProps) {
  const choices = choicesOf(field, form)
  return (
    <div className={styles.segmented} data-kind="tabs">
      <Segmented
        label={toolText(field.label)}
        options={choices.map((choice) => ({value: keyOf(choice.value), label: choiceText(toolText, choice)}))}
        value={keyOf(form[field.key])}
        onChange={(key) => onChange(field.key, valueOf(choices, key))}
      />
    </div>
  )
}

/** Many values to look through; one that is on goes off when pressed again, if the tool allows none. */
export function TilesField(props: ChoiceProps) {
  const {id, field, form, toolText, error, onChange} = props
  const choices = choicesOf(field, form)
  const help = helpOf(props)
  const current = keyOf(form[field.key])
  return (
    <Field id={id} label={toolText(field.label)} isGroup help={help} error={error}>
      <div role="group" aria-labelledby={`${id}-label`} className={styles.tiles} {...noteProps(id, help, undefined)}>
        {choices.map((choice) => {
          const isOn = keyOf(choice.value) === current
          return (
            <Chip
              key={keyOf(choice.value)}
              outlined
              pressed={isOn}
              onPress={() => onChange(field.key, isOn && field.isClearable === true ? '' : choice.value)}
            >
              {choiceText(toolText, choice)}
            </Chip>
          )
        })}
      </div>
    </Field>
  )
}
