import type {Site} from '#contract/management.ts'
import {isRecord} from '#contract/is-record.ts'

/** Ways to reach the support of a site (contract/platform, `features.support`). */
export type SupportLinks = {discord?: string; wechat?: string}
/** One way as a site's admins set it: a channel that is off keeps its address. */
export type SupportChannel = {isOn: boolean; address: string}

export const isWebAddress = (value: string): boolean => /^https?:\/\/[^\s/?#]\S*$/i.test(value)

const webAddress = (value: unknown): string => (typeof value === 'string' && isWebAddress(value) ? value : '')
/** An image of the site's own files may be a path. */
const imageAddress = (value: unknown): string =>
  typeof value === 'string' && /^\/(?!\/)\S+$/.test(value) ? value : webAddress(value)

/** The channels of a site, as far as they lead to the web: an address is what an admin typed. */
export function supportChannels(site: Site | undefined): Record<keyof SupportLinks, SupportChannel> {
  const support = site?.features?.support
  const channelOf = (key: string, addressOf: (part: Record<string, unknown>) => string): SupportChannel => {
    const part = support?.[key]
    if (!isRecord(part)) return {isOn: false, address: ''}
    return {isOn: support?.enabled === true && part.enabled === true, address: addressOf(part)}
  }
  return {
    discord: channelOf('discord', ({url}) => webAddress(url)),
    wechat: channelOf('wechat', ({qr}) => imageAddress(qr)),
  }
}

/** Addresses of the channels that are on. */
export function supportLinks(site: Site | undefined): SupportLinks {
  const {discord, wechat} = supportChannels(site)
  const isShown = ({isOn, address}: SupportChannel) => isOn && address !== ''
  return {
    ...(isShown(discord) && {discord: discord.address}),
    ...(isShown(wechat) && {wechat: wechat.address}),
  }
}
