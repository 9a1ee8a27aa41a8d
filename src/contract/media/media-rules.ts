import {z} from '../schema.ts'
import type {FormFault, PriceRule} from './media-tool.ts'

/* What the tools have in common: pieces of forms and bodies, checks before sending, ratios and price rules. */

/** A field of a form. What is absent, null or no longer allowed is its default, so stored settings and echoes read. */
export const field = <Schema extends z.core.SomeType>(
  schema: Schema,
  fallback: z.core.util.NoUndefined<z.core.output<Schema>>,
) => z.catch(z._default(schema, fallback), fallback)

/** A field of a form that may stay unset. */
export const openField = <Schema extends z.core.SomeType>(schema: Schema) => z.catch(z.optional(schema), undefined)

/** Free text of a form; its length is a fault of the form, not of its shape: what was typed is never dropped. */
export const textField = () => field(z.string(), '')
export const listField = () => field(z.array(z.string()), [])
export const switchField = (fallback: boolean) => field(z.boolean(), fallback)
/** A number of a slider; what lies outside goes back to the default. */
export const rangeField = (least: number, most: number, fallback: number) =>
  field(z.number().check(z.minimum(least), z.maximum(most)), fallback)

/** Free text of a body. */
export const text = (most: number) => z.string().check(z.maxLength(most))
/** Address of an image, video or song: uploads and results live on web servers (contract/media §1.8). */
export const address = z.string().check(z.maxLength(4096), z.regex(/^https?:\/\/\S+$/i))
/** Upstream id of a result. Digits beyond 2^53 occur: always text (upstream §0.11). */
export const resultId = z.string().check(z.minLength(1), z.maxLength(256))
export const between = (least: number, most: number) => z.number().check(z.minimum(least), z.maximum(most))
export const wholeBetween = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most))
export const anyOf = <const Values extends readonly (string | number)[]>(values: Values) => z.literal(values)

/** A body that lacks what the call cannot do without is refused, naming the field. */
export const needs = <Body>(name: string, isThere: (body: NoInfer<Body>) => boolean): z.core.$ZodCheck<Body> =>
  z.refine<Body>(isThere, {path: [name], error: 'Required'})

/** Only what is set goes over the wire: no undefined, empty text or empty list. */
export const withoutEmpty = <Body extends Record<string, unknown>>(body: Body): Partial<Body> =>
  // as: fromEntries forgets the keys; those that stay keep their values
  Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Partial<Body>

const isBlank = (value: string | readonly unknown[] | undefined) =>
  value === undefined || (typeof value === 'string' ? value.trim() : value).length === 0

/** The faults that hold, in the order of the fields. */
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

/** A list of files over its limit, such as one that came with old settings. */
export const tooMany = (name: string, value: readonly unknown[], most: number): FormFault | undefined =>
  value.length > most ? {field: name, message: 'common.mediaTooMany', values: {most}} : undefined

/** `settle` of a tool whose fields do not restrict each other. */
export const settled = <Form>(form: Form) => ({form, dropped: [] as string[]})
/** `settle` with these values changed. `dropped` names the fields that the user is told of. */
export const changed = <Form>(form: Form, values: Partial<NoInfer<Form>>, dropped: string[] = []) => ({
  form: {...form, ...values},
  dropped,
})

/** `"16:9"` or `"1024x768"` as numbers; what cannot be read is `fallback`. */
export function ratioOf(ratio: unknown, fallback: readonly [number, number]): readonly [number, number] {
  const parts = typeof ratio === 'string' ? /^(\d{1,5})[:x](\d{1,5})$/.exec(ratio) : null
  const [width, height] = [Number(parts?.[1]), Number(parts?.[2])]
  return width > 0 && height > 0 ? [width, height] : fallback
}

/** Image types that uploads of the controls take (contract/media §1.8), as media types of the file. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/bmp', 'image/webp'] as const
export const megabyte = 1_000_000

type PriceKeys = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>

/** A price that holds when all these keys of the body have the value, or one of the values. */
export const priceWhen = (keys: PriceKeys, credits: number): PriceRule => ({
  conditions: {
    and: Object.entries(keys).map(([key, value]) =>
      Array.isArray(value) ? {in: [{var: key}, value]} : {'==': [{var: key}, value]},
    ),
  },
  consumption: exactCredits(credits),
})
/** Credits have six decimals at most. */
const exactCredits = (credits: number) => Math.round(credits * 1_000_000) / 1_000_000
/** The last rule: every body has a price. */
export const priceElse = (credits: number): PriceRule => ({conditions: true, consumption: credits})
