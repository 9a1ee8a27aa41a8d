import {identities} from 'virtual:media-tools'
import {chatServiceId} from '#contract/chat.ts'
import type {Site} from '#contract/management.ts'
import {enabledTools} from '#features/shell/tools.ts'

/**
 * Whether a site offers the service. A service without a tool here is always offered: only the back end knows its use.
 */
export function isServiceOffered(features: Site['features'], serviceId: string | null | undefined): boolean {
  const siteTools = enabledTools(features)
  if (serviceId === chatServiceId) return siteTools.some(({group}) => group === 'chat')
  const tool = identities.find((identity) => identity.serviceId === serviceId)
  return tool === undefined || siteTools.some(({id}) => id === tool.id)
}
