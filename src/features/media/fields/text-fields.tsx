import type {ReactNode} from 'react'
import {Count, Field, noteProps} from '#ui/forms/field.tsx'
import {LineInput, NumberInput, TextArea} from '#ui/forms/text-area.tsx'
import {Slider} from '#ui/forms/slider.tsx'
import {Switch} from '#ui/forms/switch.tsx'
import {useText} from '#ui/text.tsx'
import {helpOf, numberOf, textOf, type FieldProps} from './field-props.ts'

const rows = {prompt: 4, lyrics: 6}

type LongTextProps = FieldProps<'prompt' | 'lyrics'> & {
  /** The button that has the text written, where the tool can. */
  writer?: ReactNode
  /** Instead of an empty prompt. */
  placeholder?: string | undefined
}

/** The prompt or the lyrics: its length beside the label. */
export function LongTextField(props: LongTextProps) {
  const {id, field, form, toolText, error, onChange, writer, placeholder, isNeeded} = props
  const text = useText()
  const value = textOf(form[field.key])
  const help = helpOf(props)
  const isOptional = value === '' && field.isRequired !== true && isNeeded !== true
  return (
    <Field
      id={id}
      label={toolText(field.label)}
      action={writer}
      end={isOptional ? text('common.mediaOptional') : <Count now={value.length} most={field.most} />}
      help={help}
      error={error}
    >
      <TextArea
        id={id}
        value={value}
        rows={rows[field.kind]}
        placeholder={field.kind === 'prompt' ? placeholder : undefined}
        onChange={(next) => onChange(field.key, next)}
        {...noteProps(id, help, error, true)}
      />
    </Field>
  )
}

/** A text of one line; long ones get more lines. */
export function ShortTextField(props: FieldProps<'text'>) {
  const {id, field, form, toolText, error, onChange, isNeeded} = props
  const text = useText()
  const value = textOf(form[field.key])
  const help = helpOf(props)
  const commonProps = {
    id,
    value,
    onChange: (next: string) => onChange(field.key, next),
    ...noteProps(id, help, error, true),
  }
  return (
    <Field
      id={id}
      label={toolText(field.label)}
      end={
        value === '' && isNeeded !== true ? (
          text('common.mediaOptional')
        ) : (
          <Count {...(field.room?.(form) ?? {now: value.length, most: field.most})} />
        )
      }
      help={help}
      error={error}
    >
      {field.most > 100 ? <TextArea {...commonProps} rows={2} /> : <LineInput {...commonProps} />}
    </Field>
  )
}

/** A number between bounds, with its value beside the label. */
export function SliderField(props: FieldProps<'slider'>) {
  const {id, field, form, defaults, toolText, error, onChange} = props
  const help = helpOf(props)
  const shownText = typeof field.shown === 'function' ? field.shown(form) : field.shown
  const initial = numberOf(defaults[field.key]) ?? shownText
  const most = Math.min(field.most, field.mostOf?.(form) ?? field.most)
  const value = numberOf(form[field.key]) ?? shownText ?? initial ?? field.least
  return (
    <Field id={id} label={toolText(field.label)} end={<bdi dir="ltr">{value}</bdi>} help={help} error={error}>
      <Slider
        id={id}
        value={value}
        least={field.least}
        most={most}
        step={field.step}
        onChange={(next) => onChange(field.key, next)}
        initial={initial}
        {...noteProps(id, help, undefined)}
      />
    </Field>
  )
}

/** A whole number that may be absent, such as a seed. */
export function NumberField(props: FieldProps<'number'>) {
  const {id, field, form, toolText, error, onChange} = props
  const text = useText()
  const help = helpOf(props)
  const value = numberOf(form[field.key])
  return (
    <Field
      id={id}
      label={toolText(field.label)}
      end={field.isClearable === true && value === undefined ? text('common.mediaOptional') : undefined}
      help={help}
      error={error}
    >
      <NumberInput
        id={id}
        value={value}
        least={field.least}
        most={field.most}
        onChange={(next) => {
          if (next !== undefined || field.isClearable === true) onChange(field.key, next)
        }}
        {...noteProps(id, help, error)}
      />
    </Field>
  )
}

/** Something that is on or off. */
export function SwitchField(props: FieldProps<'switch'>) {
  const {id, field, form, toolText, onChange} = props
  return (
    <Switch
      id={id}
      label={toolText(field.label)}
      help={helpOf(props)}
      value={form[field.key] === true}
      onChange={(next) => onChange(field.key, next)}
    />
  )
}
