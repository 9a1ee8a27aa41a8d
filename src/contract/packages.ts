import {amount, identifier, lenient, optional, z} from './schema.ts'

/** Credits to spend (`Usage`), or a time with credits in it (`Period`). */
const packageTypes = ['Usage', 'Period'] as const

/** Seconds of the three lengths of a subscription (`contract/screens` §5): week, month and year. */
export const packageDurations = {week: 604_800, month: 2_592_000, year: 31_536_000} as const

/**
 * A package for an application. `amount` is in credits of the service, `price` in US dollars for all of it,
 * `duration` in seconds and only of a `Period`. The id names exactly this offer: another price has another id.
 */
const packageSchema = z.object({
  id: identifier,
  type: lenient(z.enum(packageTypes)),
  amount: optional(amount),
  price: optional(amount),
  duration: optional(z.number()),
  /** Our extension: the offer the operator recommends. */
  recommended: lenient(z.boolean()),
})
export type Package = z.infer<typeof packageSchema>

/** Embedded in an application and in a service; a list of another shape counts as none. */
export const packages = lenient(z.array(packageSchema))
