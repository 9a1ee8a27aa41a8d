import {isLoopbackAddress} from './loopback.ts'

/** The placeholder of an installation on localhost (spec §9): it names no page. */
export const isPlaceholderOrigin = (origin: string): boolean => origin.startsWith('http://localhost-')

export type SiteOriginFacts = {
  /** Origin of the stored site. */
  stored: string | null | undefined
  /** Origin of the page. */
  page: string
  /** The configured base URL of the hub (a product host): a fixed origin (spec §9). */
  hub: string | undefined
  /** The single placeholder origin of a localhost installation, sent by its server. */
  placeholder: string | undefined
  /** Creates a UUID, for a back end that names no placeholder. */
  createId: () => string
}

/**
 * The origin for site calls (spec §9, contract/startup-auth §4): the stored site's; on localhost the installation's
 * placeholder, else a random one that is stored; the hub's on a configured product host; else the page's own.
 */
export function siteOrigin({stored, page, hub, placeholder, createId}: SiteOriginFacts): string {
  if (isLoopbackAddress(page)) return placeholder ?? (stored || `http://localhost-${createId()}`)
  if (stored) return stored
  return hub === undefined ? page : new URL(hub).origin
}
