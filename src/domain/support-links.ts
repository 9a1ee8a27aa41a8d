import type {Site} from '#contract/management.ts'
import {isRecord} from '#contract/is-record.ts'

/** Ways to reach the support of a site (contract/platform, `features.support`). */
export type SupportLinks = {discord?: string; wechat?: string}

export const isWebAddress = (value: string): boolean => /^https?:\/\/[^\s/?#]+\S*$/i.test(value)

const webAddress = (value: unknown): string | undefined =>
  typeof value === 'string' && isWebAddress(value) ? value : undefined
/** An image of the site's own files may be a path. */
const imageAddress = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?!\/)\S+$/.test(value) ? value : webAddress(value)

/** The links of a site whose support is on, as far as they lead to the web: an address is what an admin typed. */
export function supportLinks(site: Site | undefined): SupportLinks {
  const support = site?.features?.support
  if (support?.enabled !== true) return {}
  const partOf = (key: string) => {
    const part = support[key]
    return isRecord(part) && part.enabled === true ? part : {}
  }
  const discord = webAddress(partOf('discord').url)
  const wechat = imageAddress(partOf('wechat').qr)
  return {...(discord && {discord}), ...(wechat && {wechat})}
}
