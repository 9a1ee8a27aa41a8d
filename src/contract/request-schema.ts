import {identifier, z} from './schema.ts'

/* Pieces of requests, which only the server reads. */

export const uuid = z.uuid()

/** `limit`, `offset` and `ordering` of every list request (security R34). Values come as text from a query. */
export const pageQuery = {
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
  offset: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000))),
  ordering: z.optional(z.string().check(z.regex(/^-?[a-z_]{1,40}$/))),
}

/** The body of `retrieve_batch`, of conversations and of tasks. */
export const batchFields = {
  action: z.literal('retrieve_batch'),
  ids: z.optional(z.array(identifier).check(z.maxLength(100))),
  application_id: z.optional(identifier),
  user_id: z.optional(identifier),
  limit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(100))),
  offset: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000))),
}

/** A query key that may be repeated (`id=a&id=b`) or stand once. */
export const oneOrMany = <T extends z.core.$ZodType>(item: T) =>
  z.pipe(
    z.union([item, z.array(item).check(z.maxLength(100))]),
    // as: the type of a generic union is not narrowed
    z.transform((value): z.output<T>[] => (Array.isArray(value) ? (value as z.output<T>[]) : [value as z.output<T>])),
  )
