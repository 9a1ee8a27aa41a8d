import {z} from './schema.ts'

/** The eleven request-layer error kinds (spec §8), in the specification's order. */
export const errorKinds = [
  'duplication',
  'busy',
  'api_error',
  'bad_request',
  'used_up',
  'unknown',
  'canceled',
  'timeout',
  'content_too_large',
  'too_many_requests',
  'not_applied',
] as const
export type ErrorKind = (typeof errorKinds)[number]

/**
 * Codes of a provider's refusal beside the eleven: its moderation (contract/errors §3), and an account of the installation
 * that is out of credit, which is not the person's `used_up`.
 */
export const refusalCodes = ['forbidden', 'payment_required'] as const
export type RefusalCode = (typeof refusalCodes)[number]
export type ErrorCode = ErrorKind | RefusalCode

/**
 * Body of a failed call to the AI host: `{error: {code, message}, trace_id}`, and `field` inside `error` from ours; the
 * older `{code, detail}` is read too.
 */
export const aiErrorBody = z.object({
  error: z.object({
    code: z.optional(z.coerce.string()),
    message: z.optional(z.string()),
    field: z.catch(z.optional(z.string()), undefined),
  }),
  trace_id: z.optional(z.string()),
  success: z.optional(z.boolean()),
})
