import {productionServices} from './service-bases.ts'

/** Whether a domain name keeps the rules of spec §5; domain-name.ts says which one is broken. */
const isDomainName = (name: string) =>
  name.length < 256 && name.split('.').every((label) => /^(?!-)[\w-]{1,63}(?<!-)$/.test(label))

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

/** The services of both tables are below it. */
const officialDomain = productionServices.hub.replace('https://hub.', '')

/** Whether a host is a domain or a sub-domain of it. */
export const isWithin = (hostname: string, domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)
const isAddress = (hostname: string) => /^[\d.]+$/.test(hostname) || hostname.includes(':')

/**
 * `Domain` of the three cookies, or `undefined` for a host-only cookie (spec §5, security R18). Only a configured
 * domain, or the product's own, is wider than the host; never a public suffix, an address or another owner's domain.
 */
export function cookieDomain(hostname: string, configuredDomain?: string | null): string | undefined {
  const host = hostname.toLowerCase()
  const candidates = [configuredDomain?.toLowerCase().replace(/^\./, ''), officialDomain]
  const domain = candidates.find(
    (name) =>
      name !== undefined &&
      isDomainName(name) &&
      name.includes('.') &&
      !sharedSuffixes.has(name) &&
      !isAddress(host) &&
      isWithin(host, name),
  )
  return domain === undefined ? undefined : `.${domain}`
}
