import * as z from 'zod/mini'

// zod probes `new Function` for a faster parser; the page's CSP forbids it and would report a violation.
z.config({jitless: true})

export {z}

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

export type ListAnswer<T> = {count: number; items: T[]}

/** For fields no flow needs: another server's different shape counts as absent. */
export const lenient = <T extends z.core.$ZodType>(schema: T) => z.catch(z.optional(schema), undefined)
