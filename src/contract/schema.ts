import * as z from 'zod/mini'

// zod probes `new Function` for a faster parser; the page's CSP forbids it and would report a violation.
z.config({jitless: true})

export {z}

/** Unix milliseconds, ISO-8601 text and money all arrive from foreign servers in more than one form. */
export const uuid = z.uuid()

/** Opaque identifier: UUID on our server, anything short and printable on a foreign one. */
export const identifier = z.string().check(z.minLength(1), z.maxLength(128))

/** Money and credits: our server sends numbers, exact to 6 decimals; foreign servers also send decimal text. */
export const amount = z.union([
  z.number(),
  z.pipe(
    z.string().check(z.regex(/^-?\d+(\.\d+)?$/)),
    z.transform((text: string) => Number(text)),
  ),
])

/** Absent and null mean the same to the client. */
export const optional = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema))

/** The envelope of every list: one page of items and the total that matches the filter (`contract/platform` §1). */
export const paged = <T extends z.core.$ZodType>(item: T) => z.object({count: z.number(), items: z.array(item)})

export type Paged<T> = {count: number; items: T[]}

/** `limit`, `offset` and `ordering` of every list request (security R34). Values come as text from a query. */
export const pageQuery = {
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
  offset: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000))),
  ordering: z.optional(z.string().check(z.regex(/^-?[a-z_]{1,40}$/))),
}

/** A query key that may be repeated (`id=a&id=b`) or stand once. */
export const oneOrMany = <T extends z.core.$ZodType>(item: T) =>
  z.pipe(
    z.union([item, z.array(item).check(z.maxLength(100))]),
    z.transform((value): z.output<T>[] => (Array.isArray(value) ? (value as z.output<T>[]) : [value as z.output<T>])),
  )
