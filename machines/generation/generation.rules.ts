import type {FormFault, FormSchema, MediaTool, Submission} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {isSameData} from '#domain/same-data.ts'
import type {FormUpload, FormValues} from './generation.types.ts'

/** What the chart needs of a tool. The tool stays outside the context, which is plain data. */
export type ToolRules = Pick<MediaTool, 'form' | 'settle' | 'faults' | 'submit' | 'next'>

/** The form of a tool as the chart works with it: whatever comes in, a full form comes out. */
export type FormRules = {
  defaults: () => FormValues
  /** The form with some values changed; what the form does not allow stays as it was. */
  change: (form: FormValues, values: FormValues) => {form: FormValues; dropped: string[]}
  faults: (form: FormValues) => FormFault[]
  submission: (form: FormValues) => Submission
  /** Whether a file of this field would go with the request: a field of another tab, say, does not hold it up. */
  takesPart: (form: FormValues, field: string) => boolean
  /** The form after a task succeeded that prepared something for it. */
  next: NonNullable<ToolRules['next']>
}

/** Stands for a file wherever it is asked whether one would be sent. */
const anyFile = 'https://file.invalid/any'

const parse = (schema: FormSchema, values: FormValues): FormValues | undefined => {
  const parsed = z.safeParse(schema, values)
  return parsed.success ? parsed.data : undefined
}

export function formRules({form: schema, settle, faults, submit, next}: ToolRules): FormRules {
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
  const change = (form: FormValues, values: FormValues) => settle(take(form, values))
  return {
    defaults,
    change,
    faults,
    submission: submit,
    takesPart(form, field) {
      const value = form[field]
      const filled = change(form, {[field]: Array.isArray(value) ? [...(value as unknown[]), anyFile] : anyFile}).form
      return !isSameData(submit(filled), submit(form))
    },
    next: (reading, request, form) => next?.(reading, request, form),
  }
}

/** The field with the address of a file in it: a list takes it up, a single field is replaced. */
export const withFile = (value: unknown, url: string, most: number): unknown =>
  Array.isArray(value) ? [...(value as unknown[]).filter((item) => item !== url), url].slice(-most) : url

/** The field without it. */
export const withoutFile = (value: unknown, url: string | undefined): unknown =>
  Array.isArray(value) ? (value as unknown[]).filter((item) => item !== url) : value === url ? '' : value

/** The values of a list, or of a field that holds one; none of an empty one. */
export const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : value === '' || value === undefined ? [] : [value]

/** Something new stands where something else stood. What is only added to a list, or taken out, replaces nothing. */
function isReplaced(before: unknown, after: unknown): boolean {
  const [old, now] = [itemsOf(before), itemsOf(after)]
  const isMore = now.some((item) => !old.includes(item))
  return isMore && (!Array.isArray(after) || old.some((item) => !now.includes(item)))
}

/**
 * The files that go on after the form has changed: one whose address left the form is not shown any more, and one on its
 * way to a field that was filled from elsewhere does not take the place of that.
 */
export const remainingUploads = (uploads: readonly FormUpload[], before: FormValues, after: FormValues): FormUpload[] =>
  uploads.filter(({field, state, url, fault}) => {
    if (state === 'done') return itemsOf(after[field]).includes(url)
    return isSurplus({fault}) || !isReplaced(before[field], after[field])
  })

/** One file too many; it was never part of the request. */
export const isSurplus = ({fault}: Pick<FormUpload, 'fault'>) => fault?.kind === 'count'
export const isTravelling = ({state}: FormUpload) => state === 'queued' || state === 'running'
