import {isList} from '#contract/is-list.ts'
import type {FormFault, FormSchema, MediaTool, ToolRequest} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {isSameData} from '#domain/same-data.ts'
import {usedValues, type UsedResult} from '#domain/use-targets.ts'
import {fileFault, type FileRule} from '#domain/file-rules.ts'
import type {ChosenFile} from '#machines/upload/upload.types.ts'
import type {FormUpload, FormValues, GenerationContext} from './generation.types.ts'

/**
 * The rules of a tool that the chart needs. The tool stays outside the context, which is plain data. `matched`: what
 * follows for a form from the ratio (width by height) of an image that goes into it.
 */
export type ToolRules = Pick<MediaTool, 'form' | 'settle' | 'faults' | 'submit' | 'next'> & {
  matched?: (form: FormValues, ratio: number) => FormValues
}

/** The form of a tool as the chart works with it: whatever comes in, a full form comes out. */
export type FormRules = {
  defaults: () => FormValues
  /** The form with some values changed; what the form does not allow stays as it was. */
  change: (form: FormValues, values: FormValues) => {form: FormValues; dropped: string[]}
  faults: (form: FormValues) => FormFault[]
  submission: (form: FormValues) => ToolRequest
  /** Whether a file of this field would go with the request: a field of another tab, say, does not hold it up. */
  takesPart: (form: FormValues, field: string) => boolean
  /** The form after a task succeeded that prepared something for it. */
  next: NonNullable<ToolRules['next']>
  /** The form with a result put into it. */
  used: (form: FormValues, use: UsedResult) => FormValues
}

/** Stands for a file wherever it is asked whether one would be sent. */
const anyFile = 'https://file.invalid/any'

const parse = (schema: FormSchema, values: FormValues): FormValues | undefined => {
  const parsing = z.safeParse(schema, values)
  return parsing.success ? parsing.data : undefined
}

export function formRules({form: schema, settle, faults, submit, next, matched}: ToolRules): FormRules {
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
      (validPart, [field, value]) => parse(schema, {...validPart, [field]: value}) ?? validPart,
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
      const filledForm = change(form, {[field]: isList(value) ? [...value, anyFile] : anyFile}).form
      return !isSameData(submit(filledForm), submit(form))
    },
    next: (reading, request, form) => next?.(reading, request, form),
    used(form, {target: {input, value, more = []}, ratio}) {
      const values = usedValues(form, input, value, ...more)
      return ratio === undefined ? values : {...matched?.({...form, ...values}, ratio), ...values}
    },
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
 * The files that go on after the form has changed: one whose address left the form is not shown any more, and one on
 * its way to a field that was filled from elsewhere does not replace that.
 */
export const remainingUploads = (uploads: readonly FormUpload[], before: FormValues, after: FormValues): FormUpload[] =>
  uploads.filter(({field, state, url, fault}) => {
    if (state === 'done') return itemsOf(after[field]).includes(url)
    return isSurplus({fault}) || !isReplaced(before[field], after[field])
  })

export type AddedFiles = {field: string; files: readonly ChosenFile[]; rule: FileRule; most: number}

/**
 * The uploads once files were chosen for a field, and those of them that are taken: as many as it has room for.
 * Undefined when all of them are among its uploads already.
 */
export function withAdded(
  {form, uploads}: Pick<GenerationContext, 'form' | 'uploads'>,
  {field, files, rule, most}: AddedFiles,
): {uploads: FormUpload[]; taken: ChosenFile[]} | undefined {
  const value = form[field]
  const limit = Array.isArray(value) ? most : 1
  const present = uploads.filter((upload) => upload.field === field)
  const fresh = files.filter(({id}) => present.every((upload) => upload.id !== id))
  if (fresh.length === 0) return undefined
  const fitting = fresh.filter((file) => fileFault(file, rule) === undefined)
  // what was refused last time makes room; a single field holds one file, the new one
  const staying = limit === 1 && fitting.length > 0 ? [] : present.filter(({fault}) => fault === undefined)
  const others = itemsOf(value).filter((url) => present.every((upload) => upload.url !== url))
  const room = limit === 1 ? 1 : Math.max(0, limit - staying.length - others.length)
  const takenFiles = fitting.slice(0, room)
  const entries = fresh.map((file): FormUpload => {
    const upload = {id: file.id, field, name: file.name, most: limit}
    return takenFiles.includes(file)
      ? {...upload, state: 'queued'}
      : {...upload, state: 'failed', fault: fileFault(file, rule) ?? {kind: 'count', most: limit}}
  })
  return {
    uploads: [...uploads.filter((upload) => upload.field !== field || staying.includes(upload)), ...entries],
    taken: takenFiles,
  }
}

/** The items of a field in their order: ids of its uploads, and values that came from elsewhere. */
export type FieldOrder = readonly string[]

/**
 * The order of a field after its value or its uploads have changed. The value decides about what it holds; a file
 * without an address stays behind the one it stood behind.
 */
function orderOf(value: unknown, uploads: readonly FormUpload[], before: FieldOrder): FieldOrder {
  const order = itemsOf(value).map((item) => uploads.find(({url}) => url === item)?.id ?? String(item))
  const addedIds = uploads.filter(({id}) => !before.includes(id)).map(({id}) => id)
  const previous = [...before, ...addedIds]
  for (const [position, id] of previous.entries()) {
    if (order.includes(id) || uploads.every((upload) => upload.id !== id)) continue
    const predecessor = previous
      .slice(0, position)
      .reverse()
      .find((item) => order.includes(item))
    if (addedIds.includes(id)) order.push(id)
    else order.splice(predecessor === undefined ? 0 : order.indexOf(predecessor) + 1, 0, id)
  }
  return order
}

/** The order of each field that has uploads; the other fields have that of their value. */
export const fieldOrders = (
  {form, uploads}: {form: FormValues; uploads: readonly FormUpload[]},
  before: Readonly<Record<string, FieldOrder>>,
): Record<string, FieldOrder> =>
  Object.fromEntries(
    [...new Set(uploads.map(({field}) => field))].map((field) => [
      field,
      orderOf(
        form[field],
        uploads.filter((upload) => upload.field === field),
        before[field] ?? itemsOf(form[field]).map(String),
      ),
    ]),
  )

/** A list with the values in the order of the field. */
export const inOrder = (value: unknown, uploads: readonly FormUpload[], order: FieldOrder): unknown => {
  if (!isList(value)) return value
  const positionOf = (item: unknown) => {
    const position = order.indexOf(uploads.find(({url}) => url === item)?.id ?? String(item))
    return position === -1 ? order.length : position
  }
  return value.toSorted((a, b) => positionOf(a) - positionOf(b))
}

const withItem = (order: FieldOrder, id: string, position: number): FieldOrder => [
  ...order.slice(0, position),
  id,
  ...order.slice(position),
]

/** The order with one item at another position. */
export const withMoved = (order: FieldOrder, id: string, position: number): FieldOrder =>
  order.includes(id)
    ? withItem(
        order.filter((item) => item !== id),
        id,
        position,
      )
    : order

/** One file too many; it was never part of the request. */
export const isSurplus = ({fault}: Pick<FormUpload, 'fault'>) => fault?.kind === 'count'
export const isTravelling = ({state}: FormUpload) => state === 'queued' || state === 'running'
