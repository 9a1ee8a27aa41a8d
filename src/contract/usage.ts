import {amount, identifier, lenient, optional, paged, z} from './schema.ts'

/*
 * Usage and APIs (contract/platform §3, 15–20 and 40–41). Answers are parsed tolerantly; requests: `usage-requests.ts`.
 */

/**
 * The price of a call, for a page that sells credits: `cost` in credits; `remark` names the settings that make the
 * price; `value` is the price of one such call at `target` in US dollars.
 */
const apiEstimation = z.object({
  name: optional(z.string()),
  cost: amount,
  remark: optional(z.string()),
  comparisons: lenient(z.array(z.object({target: z.string(), value: amount}))),
})
export type ApiEstimation = z.infer<typeof apiEstimation>

/** One operation of a service that can be called, such as kling's videos: what usage is counted by. */
export const serviceApi = z.object({
  id: identifier,
  /** `<service>/<operation>`, such as `kling/videos`; the chat is `aichat/conversations`. */
  name: optional(z.string()),
  title: optional(z.string()),
  service_id: optional(identifier),
  estimation: lenient(z.array(apiEstimation)),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type ServiceApi = z.infer<typeof serviceApi>
export const serviceApiPage = paged(serviceApi)

/** One call that reached a provider. Amounts are credits of its application, `remaining` and `used` after the call. */
export const apiUsage = z.object({
  id: identifier,
  api_id: optional(identifier),
  api: optional(z.object({title: optional(z.string())})),
  service: optional(z.object({id: optional(identifier), title: optional(z.string()), unit: optional(z.string())})),
  application_id: optional(identifier),
  /** The key that was used; it may be revoked. */
  credential_id: optional(identifier),
  status_code: optional(z.number()),
  trace_id: optional(z.string()),
  deducted_amount: optional(amount),
  remaining_amount: optional(amount),
  used_amount: optional(amount),
  metadata: optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  created_at: optional(z.string()),
})
export type ApiUsage = z.infer<typeof apiUsage>
export const apiUsagePage = paged(apiUsage)

/** Exact decimal with six digits after the point, as `12.340000`: a sum may have more digits than a number. */
const decimalText = z.string().check(z.regex(/^\d+\.\d{6}$/))

const usageSum = z.object({
  /** Number of calls. */
  count: z.number(),
  /** Credits. */
  deducted_amount: decimalText,
})

/** `status_class` is the first digit of the status: 2 succeeded, 4 the caller's fault, 5 the server's. */
const statusSum = z.object({...usageSum.shape, status_class: z.number()})
const apiSum = z.object({...usageSum.shape, api_id: z.nullable(identifier)})

/**
 * Our extension, only if the page's configuration offers `usage-totals`: sums of all rows that GET /usage/apis/ with
 * the same filters has on all its pages, equal to them to the last digit. The sums of each list add up to `total`.
 */
export const usageTotals = z.object({
  total: usageSum,
  /** Ascending by class. */
  by_status: z.array(statusSum),
  /** Ascending by title; `title` of an API that is gone is absent. */
  by_api: z.array(z.object({...apiSum.shape, title: optional(z.string()), service_id: optional(identifier)})),
  /** IANA name of the zone of the hours or days of `by_time`: UTC where the server does not know the asked one. */
  time_zone: z.string(),
  step: z.enum(['hour', 'day']),
  /** Hours or days with calls, ascending. `start` is the instant at which it begins (ISO 8601, UTC). */
  by_time: z.array(
    z.object({...usageSum.shape, start: z.string(), by_status: z.array(statusSum), by_api: z.array(apiSum)}),
  ),
})
export type UsageTotals = z.infer<typeof usageTotals>
