import {isLoopbackAddress} from './loopback.ts'

export type SiteOriginFacts = {
  /** Origin of the stored site. */
  stored: string | null | undefined
  /** Origin of the page. */
  page: string
  /** Base URL of the hub when it is configured (a product host): a fixed origin (spec §9). */
  hub: string | undefined
  /** The one placeholder origin of an installation on localhost, told by its server. */
  placeholder: string | undefined
  /** A new UUID, for a back end that names no placeholder. */
  createId: () => string
}

/**
 * The origin site calls are made with (spec §9, contract/startup-auth §4): that of the stored site; on localhost the
 * installation's placeholder, else a random one that is kept from then on; the hub's on a configured product host;
 * else the page's own.
 */
export function siteOrigin({stored, page, hub, placeholder, createId}: SiteOriginFacts): string {
  if (isLoopbackAddress(page)) return placeholder ?? (stored || `http://localhost-${createId()}`)
  if (stored) return stored
  return hub === undefined ? page : new URL(hub).origin
}
