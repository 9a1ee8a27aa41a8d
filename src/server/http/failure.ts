/**
 * A refusal that a handler throws and the one error boundary writes to the wire: `{code, detail, field?}` on management
 * and auth, `{error: {code, message, field?}, trace_id}` on the AI host (`contract/errors`). The detail is for people and never
 * carries a secret.
 */
export class HttpFailure extends Error {
  constructor(
    readonly status:
      400 | 401 | 402 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 421 | 422 | 429 | 500 | 502 | 503 | 504 | 507,
    readonly code: string,
    readonly detail: string,
    readonly options: {
      field?: string
      retryAfterSeconds?: number
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(`${code} - ${detail}`, {cause: options.cause})
  }
}

export const badRequest = (detail: string, field?: string) => new HttpFailure(400, 'bad_request', detail, {field})
/** Foreign and missing objects are the same thing to a caller (security R19). */
export const notFound = () => new HttpFailure(404, 'not_found', 'There is nothing here, or it is not yours.')
export const unauthorized = () =>
  new HttpFailure(401, 'invalid_token', 'Sign in again: the token is missing, wrong or expired.')
export const forbidden = (detail: string) => new HttpFailure(403, 'forbidden', detail)
