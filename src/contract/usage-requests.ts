import {oneOrMany, pageQuery} from './request-schema.ts'
import {identifier, z} from './schema.ts'

/* Queries of usage and APIs, validated strictly by the server. */

const instant = z.iso.datetime({offset: true})

/** Which rows of usage are meant; both bounds of time belong to the range, as they do for tasks. */
const usageFilter = {
  user_id: z.optional(identifier),
  application_id: z.optional(oneOrMany(identifier)),
  api_id: z.optional(oneOrMany(identifier)),
  /** ISO 8601 with `Z` or an offset. */
  created_at_min: z.optional(instant),
  created_at_max: z.optional(instant),
}

/** GET /usage/apis/. Sort keys: `created_at`, `deducted_amount`, `status_code`. */
export const usageQuery = z.strictObject({...pageQuery, ...usageFilter})

/**
 * GET /usage/totals (ours). `time_zone` is an IANA name, `UTC` by default and where the database lacks it. A `step` of
 * an hour covers at most 62 days, a day at most 1,100; the default is a day. Without `created_at_min` the range begins
 * with the first row.
 */
export const usageTotalsQuery = z.strictObject({
  ...usageFilter,
  step: z.optional(z.enum(['hour', 'day'])),
  time_zone: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
})

/** GET /usage/export (ours): the same rows as text/csv, newest first. */
export const usageExportQuery = z.strictObject(usageFilter)

/** GET /apis/ and GET /services/{id}/apis/. Sort keys: `created_at`, `title`, `name`. */
export const serviceApiQuery = z.strictObject(pageQuery)
