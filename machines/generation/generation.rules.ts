import type {FormFault, FormSchema, MediaTool, Submission} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import type {FormUpload, FormValues} from './generation.types.ts'

/** What the chart needs of a tool. The tool stays outside the context, which is plain data. */
export type ToolRules = Pick<MediaTool, 'form' | 'settle' | 'faults' | 'submit'>

/** The form of a tool as the chart works with it: whatever comes in, a full form comes out. */
export type FormRules = {
  defaults: () => FormValues
  /** The form with some values changed; what the form does not allow stays as it was. */
  change: (form: FormValues, values: FormValues) => {form: FormValues; dropped: string[]}
  faults: (form: FormValues) => FormFault[]
  submission: (form: FormValues) => Submission
}

const parse = (schema: FormSchema, values: FormValues): FormValues | undefined => {
  const parsed = z.safeParse(schema, values)
  return parsed.success ? parsed.data : undefined
}

export function formRules({form: schema, settle, faults, submit}: ToolRules): FormRules {
  const defaults = () => {
    const values = parse(schema, {})
    if (values === undefined) throw new Error('A form must have a default for every field')
    return values
  }
  /** All at once; else each alone, so that one bad value costs only itself. */
  const take = (form: FormValues, values: FormValues) => {
    const whole = parse(schema, {...form, ...values})
    if (whole !== undefined) return whole
    return Object.entries(values).reduce(
      (taken, [field, value]) => parse(schema, {...taken, [field]: value}) ?? taken,
      form,
    )
  }
  return {
    defaults,
    change: (form, values) => settle(take(form, values)),
    faults,
    submission: submit,
  }
}

/** The field with the address of a file in it: a list takes it up, a single field is replaced. */
export const withFile = (value: unknown, url: string, most: number): unknown =>
  Array.isArray(value) ? [...(value as unknown[]).filter((item) => item !== url), url].slice(-most) : url

/** The field without it. */
export const withoutFile = (value: unknown, url: string | undefined): unknown =>
  Array.isArray(value) ? (value as unknown[]).filter((item) => item !== url) : value === url ? '' : value

export const isTravelling = ({state}: FormUpload) => state === 'queued' || state === 'running'
