import {productionServices, testServices} from './service-bases.ts'

const compactDate = (date: Date) => date.toISOString().slice(0, 10).replaceAll('-', '')

const officialHosts = [productionServices.hub, testServices.hub].map((hub) => new URL(hub).host)

/**
 * The date-prefixed sub-domain redirect (spec §4, contract/startup-auth §2): exactly on an official hub host, in the
 * WeChat browser, to `<yyyymmdd of the UTC day>.<host>`. A login code is never forwarded (security, decisions).
 * @returns the address to open, or `undefined` if the rule does not apply
 */
export function dateSubdomain(href: string, userAgent: string, now: Date): string | undefined {
  const url = new URL(href)
  if (!officialHosts.includes(url.host) || !/micromessenger/i.test(userAgent)) return undefined
  url.host = `${compactDate(now)}.${url.host}`
  url.searchParams.delete('code')
  url.searchParams.delete('state')
  return url.href
}
