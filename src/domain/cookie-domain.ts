import type {DomainErrorCode} from './domain-errors.ts'
import {productionServices, testServices} from './service-bases.ts'

function labelError(label: string): DomainErrorCode | undefined {
  if (label.length < 1) return 'LABEL_TOO_SHORT'
  if (label.length > 63) return 'LABEL_TOO_LONG'
  if (label.startsWith('-')) return 'LABEL_STARTS_WITH_DASH'
  if (label.endsWith('-')) return 'LABEL_ENDS_WITH_DASH'
  return /^[a-z0-9_-]+$/i.test(label) ? undefined : 'LABEL_INVALID_CHARS'
}

/** The first rule that a domain name breaks, or `undefined`. @throws TypeError if it is not a string (spec §5) */
export function checkDomainName(name: unknown): DomainErrorCode | undefined {
  if (typeof name !== 'string') throw new TypeError('Domain name must be a string.')
  if (name.length < 1) return 'DOMAIN_TOO_SHORT'
  if (name.length > 255) return 'DOMAIN_TOO_LONG'
  for (const label of name.split('.')) {
    const error = labelError(label)
    if (error !== undefined) return error
  }
  return undefined
}

/**
 * Suffixes under which anybody can own a sub-domain. Incomplete, which is safe: an unconfigured domain gets a host-only
 * cookie.
 */
const sharedSuffixes = new Set([
  'co.uk',
  'com.au',
  'com.br',
  'com.cn',
  'co.jp',
  'co.kr',
  'com.tw',
  'github.io',
  'gitlab.io',
  'netlify.app',
  'pages.dev',
  'vercel.app',
  'herokuapp.com',
  'fly.dev',
  'azurewebsites.net',
  'cloudfront.net',
])

const officialDomains = [productionServices.hub, testServices.hub].map((hub) => {
  const {hostname} = new URL(hub)
  return hostname.slice(hostname.indexOf('.') + 1)
})

/** Whether a host is a domain or a sub-domain of it. */
export const isWithin = (hostname: string, domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)
const isAddress = (hostname: string) => /^[\d.]+$/.test(hostname) || hostname.includes(':')

/**
 * `Domain` of the three cookies, or `undefined` for a host-only cookie (spec §5, security R18). Only a configured
 * domain, or the product's own, is wider than the host; never a public suffix, an address or another owner's domain.
 */
export function cookieDomain(hostname: string, configuredDomain?: string | null): string | undefined {
  const host = hostname.toLowerCase()
  const candidates = [configuredDomain?.toLowerCase().replace(/^\./, ''), ...officialDomains]
  const domain = candidates.find(
    (name) =>
      name !== undefined &&
      checkDomainName(name) === undefined &&
      name.includes('.') &&
      !sharedSuffixes.has(name) &&
      !isAddress(host) &&
      isWithin(host, name),
  )
  return domain === undefined ? undefined : `.${domain}`
}
