import type {AnyField, AnyForm} from '../any-tool.ts'
import type {ToolText} from '../use-tool-text.ts'

/** The properties of every kind of field. `id` is the one of its control. */
export type FieldProps<Kind extends AnyField['kind']> = {
  id: string
  field: Extract<AnyField, {kind: Kind}>
  form: AnyForm
  defaults: AnyForm
  toolText: ToolText
  /** The form cannot be sent as long as it is empty. */
  isNeeded?: boolean
  /** The fault of the field, in words. */
  error: string | undefined
  /** Said instead of help after another field changed it. */
  note: string | undefined
  onChange: (field: string, value: unknown) => void
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
export const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? value === ''
      ? []
      : [value]
    : Array.isArray(value)
      ? value.filter((entry): entry is string => typeof entry === 'string')
      : []

/** The sentence under a field: what another field did to it, else its help. */
export const helpOf = ({field, note, toolText}: Pick<FieldProps<AnyField['kind']>, 'field' | 'note' | 'toolText'>) =>
  note ?? (field.help === undefined ? undefined : toolText(field.help))
