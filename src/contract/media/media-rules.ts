import {z} from '../schema.ts'
import type {FormFault, PriceRule} from './media-tool.ts'

/* Shared parts of the tools: forms and bodies, checks before sending, ratios and price rules. */

/**
 * A form field. An absent, null or no longer allowed value becomes the default, so that stored settings and echoes can
 * be parsed.
 */
export const field = <Schema extends z.core.SomeType>(
  schema: Schema,
  fallback: z.core.util.NoUndefined<z.core.output<Schema>>,
) => z.catch(z._default(schema, fallback), fallback)

/** A form field that may stay unset. */
export const openField = <Schema extends z.core.SomeType>(schema: Schema) => z.catch(z.optional(schema), undefined)

/**
 * Free text of a form. Its length is checked as a form fault, not by the schema, so that typed text is never dropped.
 */
export const textField = () => field(z.string(), '')
export const listField = () => field(z.array(z.string()), [])
export const switchField = (fallback: boolean) => field(z.boolean(), fallback)
/** A slider's number; a value out of range becomes the default. */
export const rangeField = (least: number, most: number, fallback: number) =>
  field(z.number().check(z.minimum(least), z.maximum(most)), fallback)

/** Free text of a body. */
export const text = (most: number) => z.string().check(z.maxLength(most))
/** Address of an image, video or song: uploads and results are on web servers (contract/media §1.8). */
export const address = z.string().check(z.maxLength(4096), z.regex(/^https?:\/\/\S+$/i))
/** Upstream id of a result. Ids beyond 2^53 occur: always text (upstream §0.11). */
export const resultId = z.string().check(z.minLength(1), z.maxLength(256))
export const between = (least: number, most: number) => z.number().check(z.minimum(least), z.maximum(most))
export const wholeBetween = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most))
export const anyOf = <const Values extends readonly (string | number)[]>(values: Values) => z.literal(values)

/** Refuses a body without a required value, and names the field. */
export const needs = <Body>(name: string, isThere: (body: NoInfer<Body>) => boolean): z.core.$ZodCheck<Body> =>
  z.refine<Body>(isThere, {path: [name], error: 'Required'})

/** Removes undefined values, empty texts and empty lists: only set values are sent. */
export const withoutEmpty = <Body extends Record<string, unknown>>(body: Body): Partial<Body> =>
  // as: fromEntries forgets the keys; those that stay keep their values
  Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Partial<Body>

const isBlank = (value: string | readonly unknown[] | undefined) =>
  value === undefined || (typeof value === 'string' ? value.trim() : value).length === 0

/** The faults that apply, in the order of the fields. */
export const faultsOf = (...faults: (FormFault | undefined)[]): FormFault[] =>
  faults.filter((fault) => fault !== undefined)
export const missing = (
  name: string,
  value: string | readonly unknown[] | undefined,
  message: string,
): FormFault | undefined => (isBlank(value) ? {field: name, message} : undefined)
export const noPrompt = (value: string) => missing('prompt', value, 'common.mediaPromptNeeded')
export const noImage = (name: string, value: string | readonly string[] | undefined) =>
  missing(name, value, 'common.mediaImageNeeded')
export const tooLong = (name: string, value: string, most: number): FormFault | undefined =>
  value.length > most ? {field: name, message: 'common.mediaTooLong', values: {most}} : undefined

/** A list of files over its limit, for example from old settings. */
export const tooMany = (name: string, value: readonly unknown[], most: number): FormFault | undefined =>
  value.length > most ? {field: name, message: 'common.mediaTooMany', values: {most}} : undefined

/** `settle` of a tool whose fields do not restrict each other. */
export const settled = <Form>(form: Form) => ({form, dropped: [] as string[]})
/** `settle` with these values changed. `dropped` names the fields to report to the user. */
export const changed = <Form>(form: Form, values: Partial<NoInfer<Form>>, droppedFields: string[] = []) => ({
  form: {...form, ...values},
  dropped: droppedFields,
})

/** `"16:9"` or `"1024x768"` as numbers; unreadable text is `fallback`. */
export function ratioOf(ratio: unknown, fallback: readonly [number, number]): readonly [number, number] {
  const parts = typeof ratio === 'string' ? /^(\d{1,5})[:x](\d{1,5})$/.exec(ratio) : null
  const [width, height] = [Number(parts?.[1]), Number(parts?.[2])]
  return width > 0 && height > 0 ? [width, height] : fallback
}

/** Image types that the controls accept (contract/media §1.8), as media types. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/bmp', 'image/webp'] as const
export const megabyte = 1_000_000

type PriceKeys = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>

/** A price for bodies in which each key has its value, or one of its values. */
export const priceWhen = (keys: PriceKeys, credits: number): PriceRule => ({
  conditions: {
    and: Object.entries(keys).map(([key, value]) =>
      Array.isArray(value) ? {in: [{var: key}, value]} : {'==': [{var: key}, value]},
    ),
  },
  consumption: exactCredits(credits),
})
/** Rounds credits to six decimals. */
const exactCredits = (credits: number) => Math.round(credits * 1_000_000) / 1_000_000
/** The last rule: every body has a price. */
export const priceElse = (credits: number): PriceRule => ({conditions: true, consumption: credits})
