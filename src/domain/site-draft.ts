import {isRecord} from '#contract/is-record.ts'
import type {Site} from '#contract/management.ts'
import type {Accent} from './site-accent.ts'
import {toInviterId} from './inviter-order.ts'
import {offeredTools} from './offered-tools.ts'
import {isSameData} from './same-data.ts'
import {isWebAddress, supportChannels, type SupportChannel} from './support-links.ts'

/** Fields that the admins of a site can edit (contract/screens §7); empty text means "not set". */
export type SiteDraft = {
  title: string
  /** Addresses of uploaded images. */
  logo: string
  favicon: string
  /** Hue in degrees and chroma of the brand colour (design §13). */
  accent?: Accent | undefined
  description: string
  keywords: string[]
  /** User ids. */
  admins: string[]
  defaultInviterId: string
  forceInviterId: string
  /** Ids of the tools the site offers. */
  tools: string[]
  /** The ways to get support: a link to Discord, and an uploaded QR code for WeChat. */
  discord: SupportChannel
  wechat: SupportChannel
}
export type SiteImage = 'logo' | 'favicon' | 'wechat'

/** Longest texts and lists that `PUT /sites/{id}` accepts. */
export const siteLimits = {
  title: 200,
  description: 2_000,
  keywords: 64,
  keyword: 80,
  admins: 64,
  address: 2_048,
} as const

/** The current site as a draft. */
export const draftOf = (site: Site, toolIds: readonly string[]): SiteDraft => ({
  title: site.title ?? '',
  logo: site.logo ?? '',
  favicon: site.favicon ?? '',
  accent: site.accent ?? undefined,
  description: site.description ?? '',
  keywords: site.keywords ?? [],
  admins: site.admins ?? [],
  defaultInviterId: site.distribution?.default_inviter_id ?? '',
  forceInviterId: site.distribution?.force_inviter_id ?? '',
  tools: offeredTools(site.features, toolIds),
  ...supportChannels(site),
})

const recordOf = (value: unknown) => (isRecord(value) ? value : {})

export const isChangedDraft = (site: Site, draft: SiteDraft, toolIds: readonly string[]) =>
  !isSameData(draft, draftOf(site, toolIds))

/**
 * Merges a draft into the whole site (contract/platform §3, call 25). Unchanged fields are sent as read, so that fields
 * only the back end knows are not lost.
 */
export function withDraft(site: Site, draft: SiteDraft, toolIds: readonly string[]): Site {
  const before = draftOf(site, toolIds)
  const changed = <Key extends keyof SiteDraft>(key: Key) => !isSameData(before[key], draft[key])
  const hasInviters = changed('defaultInviterId') || changed('forceInviterId')
  const {discord, wechat} = draft
  const hasSupport = changed('discord') || changed('wechat')
  return {
    ...site,
    ...(changed('title') && {title: draft.title.trim()}),
    ...(changed('logo') && {logo: draft.logo}),
    ...(changed('favicon') && {favicon: draft.favicon}),
    ...(changed('accent') && {accent: draft.accent ?? null}),
    ...(changed('description') && {description: draft.description.trim()}),
    ...(changed('keywords') && {keywords: draft.keywords}),
    ...(changed('admins') && {admins: draft.admins}),
    ...(hasInviters && {
      distribution: {
        ...site.distribution,
        default_inviter_id: draft.defaultInviterId,
        force_inviter_id: draft.forceInviterId,
      },
    }),
    ...((changed('tools') || hasSupport) && {
      features: {
        ...site.features,
        ...(changed('tools') && toolFeatures(site, draft, toolIds)),
        ...(hasSupport && {
          support: {
            ...site.features?.support,
            enabled: discord.isOn || wechat.isOn,
            discord: {
              ...recordOf(site.features?.support?.discord),
              enabled: discord.isOn,
              ...(changed('discord') && {url: discord.address}),
            },
            wechat: {
              ...recordOf(site.features?.support?.wechat),
              enabled: wechat.isOn,
              ...(changed('wechat') && {qr: wechat.address}),
            },
          },
        }),
      },
    }),
  }
}

/** Merges a list that another admin changed meanwhile: their words, with those that were added and removed here. */
const mergeLists = (base: readonly string[], ours: readonly string[], onto: readonly string[]): string[] => [
  ...new Set([
    ...onto.filter((word) => !base.includes(word) || ours.includes(word)),
    ...ours.filter((word) => !base.includes(word)),
  ]),
]

/**
 * Puts the changes since `base` on a site that says `onto` by now: other fields are as they are there, and a list
 * differs from it only by the words that were added or taken off.
 */
export function mergeDrafts(base: SiteDraft, ours: SiteDraft, onto: SiteDraft, toolIds: readonly string[]): SiteDraft {
  const pick = <Key extends keyof SiteDraft>(key: Key): SiteDraft[Key] =>
    isSameData(base[key], ours[key]) ? onto[key] : ours[key]
  const list = (key: 'keywords' | 'admins' | 'tools') =>
    isSameData(base[key], onto[key]) ? ours[key] : mergeLists(base[key], ours[key], onto[key])
  const tools = list('tools')
  return {
    title: pick('title'),
    logo: pick('logo'),
    favicon: pick('favicon'),
    accent: pick('accent'),
    description: pick('description'),
    keywords: list('keywords'),
    admins: list('admins'),
    defaultInviterId: pick('defaultInviterId'),
    forceInviterId: pick('forceInviterId'),
    tools: toolIds.filter((id) => tools.includes(id)),
    discord: pick('discord'),
    wechat: pick('wechat'),
  }
}

/** Names every tool: a site that names some offers no other. */
const toolFeatures = ({features}: Site, {tools}: SiteDraft, toolIds: readonly string[]) =>
  Object.fromEntries(toolIds.map((id) => [id, {...features?.[id], enabled: tools.includes(id)}]))

/** A channel with another address: one that had none is turned on by it, one that loses it is off. */
export const withAddress = ({isOn, address: before}: SupportChannel, address: string): SupportChannel => ({
  isOn: address !== '' && (isOn || before === ''),
  address,
})

/** An image of the draft: its address, or empty. */
export const imageOf = (draft: SiteDraft, field: SiteImage): string =>
  field === 'wechat' ? draft.wechat.address : draft[field]

/** Changes that set or, with an empty address, remove an image. */
export const imageChange = (draft: SiteDraft, field: SiteImage, address: string): Partial<SiteDraft> =>
  field === 'wechat' ? {wechat: withAddress(draft.wechat, address)} : {[field]: address}

export type SiteDraftFault = 'tooLong' | 'tooMany' | 'none' | 'noId' | 'noAddress'

/** Faults that prevent saving a draft, by field; the server refuses the same. */
export function draftFaults(draft: SiteDraft): Partial<Record<keyof SiteDraft, SiteDraftFault>> {
  const {title, description, keywords, admins, defaultInviterId, forceInviterId, discord} = draft
  const isNoId = (id: string) => id !== '' && toInviterId(id) === undefined
  return {
    ...(title.length > siteLimits.title && {title: 'tooLong'}),
    ...(description.length > siteLimits.description && {description: 'tooLong'}),
    ...(keywords.length > siteLimits.keywords && {keywords: 'tooMany'}),
    ...(keywords.some((word) => word.length > siteLimits.keyword) && {keywords: 'tooLong'}),
    ...(admins.length > siteLimits.admins && {admins: 'tooMany'}),
    ...(admins.length === 0 && {admins: 'none'}),
    ...(isNoId(defaultInviterId) && {defaultInviterId: 'noId'}),
    ...(isNoId(forceInviterId) && {forceInviterId: 'noId'}),
    ...(discord.address !== '' && !isWebAddress(discord.address) && {discord: 'noAddress'}),
    ...(discord.address.length > siteLimits.address && {discord: 'tooLong'}),
  }
}

/** Splits typed or pasted text at commas and lines; adds each word once. */
export const addWords = (words: readonly string[], input: string): string[] => [
  ...new Set([
    ...words,
    ...input
      .split(/[,，、\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ]),
]
