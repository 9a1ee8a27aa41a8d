import {randomBytes} from 'node:crypto'
import {routeMethods} from './route.ts'

/** For answers that no page is made of: nothing in them may be loaded, run or framed. */
const closedPolicy = "default-src 'none'; frame-ancestors 'none'"

/** For scripts and styles, which a browser loads only for a page with a policy of its own. */
const isPartOfPage = (type: string) => /^text\/(javascript|css)\b/.test(type)

/**
 * Headers of every response (security R08); those for documents are on responses that can be opened as one. A header
 * that a handler has set stays.
 */
export function addSecurityHeaders(headers: Headers): void {
  const set = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value)
  }
  const type = headers.get('content-type') ?? ''
  set('x-content-type-options', 'nosniff')
  set('referrer-policy', 'no-referrer')
  set('cross-origin-resource-policy', 'same-site')
  if (isPartOfPage(type)) return
  set('cross-origin-opener-policy', 'same-origin-allow-popups')
  set('content-security-policy', closedPolicy)
  // the closed policy lets nothing run that could ask for these
  if (!type.startsWith('application/json')) {
    set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  }
}

/** Lets exactly the page of `origin` read the answer; never with a wildcard, never with cookies (security R24). */
export function addCorsHeaders(headers: Headers, origin: string | undefined): void {
  headers.append('vary', 'Origin')
  if (origin === undefined) return
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-expose-headers', 'retry-after, idempotent-replay, x-trace-id, date')
}

/** The answer to a browser's question whether it may send what it wants to send. */
export function preflightResponse(origin: string): Response {
  const headers = new Headers({
    'access-control-allow-methods': routeMethods.join(', '),
    'access-control-allow-headers':
      'authorization, content-type, accept, accept-language, x-fingerprint, x-user-id, x-record-exempt, idempotency-key, last-event-id, range',
    'access-control-max-age': '600',
  })
  addCorsHeaders(headers, origin)
  return new Response(null, {status: 204, headers})
}

export const createNonce = (): string => randomBytes(16).toString('base64')

/**
 * Policy of the app's page (security R03, R07): only scripts with this answer's nonce, no inline handlers, Trusted
 * Types with the one policy `app`, and the configured services as the only servers to talk to. `own` is the page's
 * origin; `files` that of the store to which images, sound and videos are led.
 */
export function pagePolicy(
  nonce: string,
  own: string,
  bases: {auth: string; platform: string; api: string},
  files?: string,
): string {
  const named = (address: string) => {
    const {origin} = new URL(address)
    return origin === own ? "'self'" : origin
  }
  const origins = (...addresses: string[]) => [...new Set(["'self'", ...addresses.map(named)])].join(' ')
  const imageSources = files === undefined ? origins(bases.platform) : origins(bases.platform, files)
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${imageSources} data: blob:`,
    `media-src ${imageSources} blob:`,
    "font-src 'self'",
    `connect-src ${origins(bases.auth, bases.platform, bases.api)}`,
    `frame-src ${origins(bases.auth)}`,
    `form-action ${origins(bases.auth)}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types app',
  ].join('; ')
}
