import type {ReactNode} from 'react'
import {lazyModule, useLazy} from '#ui/use-lazy.ts'
import type {AnyField, AnyForm} from '../any-tool.ts'
import type {ToolText} from '../use-tool-text.ts'
import {SegmentedField, SelectField, TabsField, TilesField} from './choice-fields.tsx'
import {FilesField} from './files-field.tsx'
import type {FilesFieldProps} from './files-field.types.ts'
import {textOf, type FieldProps} from './field-props.ts'
import {LongTextField, NumberField, ShortTextField, SliderField, SwitchField} from './text-fields.tsx'

const chipsField = lazyModule(async () => (await import('./chips-field.tsx')).ChipsField)
const taskRefField = lazyModule(async () => (await import('./task-ref-field.tsx')).TaskRefField)

/** The one field of its kind is further down the longest form. */
function LazyChips(props: FieldProps<'chips'>): ReactNode {
  const View = useLazy(chipsField, true)
  return View && <View {...props} />
}

/** Shows once a result is worked on. */
function LazyTaskRef(props: FieldProps<'taskRef'>): ReactNode {
  const View = useLazy(taskRefField, textOf(props.form[props.field.key]) !== '')
  return View && <View {...props} />
}

export type FieldViewProps = {
  id: string
  field: AnyField
  form: AnyForm
  defaults: AnyForm
  toolText: ToolText
  error: string | undefined
  /** The form cannot be sent as long as this field is empty. */
  isNeeded?: boolean
  note: string | undefined
  onChange: (field: string, value: unknown) => void
  /** The properties of a field of files besides its value. */
  files: (
    field: Extract<AnyField, {kind: 'files'}>,
  ) => Pick<FilesFieldProps, 'items' | 'onAdd' | 'onRemove' | 'onRetry' | 'onMove' | 'onPick'>
  /** The button that has a text written, for a field whose tool can. */
  writer?: (field: Extract<AnyField, {kind: 'prompt' | 'lyrics'}>) => ReactNode
  /** Instead of an empty prompt. */
  placeholder?: string | undefined
}

/** Any field by its kind. */
export function FieldView({field, files, writer, placeholder, ...commonProps}: FieldViewProps): ReactNode {
  switch (field.kind) {
    case 'prompt':
    case 'lyrics':
      return <LongTextField {...commonProps} field={field} placeholder={placeholder} writer={writer?.(field)} />
    case 'text':
      return <ShortTextField {...commonProps} field={field} />
    case 'slider':
      return <SliderField {...commonProps} field={field} />
    case 'number':
      return <NumberField {...commonProps} field={field} />
    case 'switch':
      return <SwitchField {...commonProps} field={field} />
    case 'select':
      return <SelectField {...commonProps} field={field} />
    case 'segmented':
    case 'ratio':
      return <SegmentedField {...commonProps} field={field} />
    case 'tiles':
      return <TilesField {...commonProps} field={field} />
    case 'tabs':
      return <TabsField {...commonProps} field={field} />
    case 'chips':
      return <LazyChips {...commonProps} field={field} />
    case 'files':
      return <FilesField {...commonProps} field={field} {...files(field)} />
    case 'taskRef':
      return <LazyTaskRef {...commonProps} field={field} />
  }
}
