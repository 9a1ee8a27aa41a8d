import type {Config} from '../config.ts'
import {badRequest} from '../http/failure.ts'
import {isLoopbackHost} from '../http/origins.ts'

/** The path of this installation's files below the platform's base. */
export const filesPath = '/api/v1/files/'

const embeddedBase = '/services/platform'

/**
 * Base of the platform service for an absolute address. `origin` is the allow-listed Origin of the request; nothing is
 * taken from its Host (security R13).
 */
export function platformBase(config: Config, origin: string | undefined): string {
  if (config.serviceOrigins.platform) return config.serviceOrigins.platform
  return `${origin ?? config.publicOrigins[0] ?? `http://127.0.0.1:${config.port}`}${embeddedBase}`
}

/** The same for the page's own requests: a path where the service stands on the page's origin. */
export const servicePath = ({serviceOrigins}: Config): string => serviceOrigins.platform ?? embeddedBase

/**
 * The file an address names, if it has the form of one of ours, whatever its origin: an installation has several. Who
 * may read it is decided by the table of files, and nothing is fetched.
 */
export function parseFileAddress(address: string): {id: string; name: string} | undefined {
  if (!URL.canParse(address, 'http://relative.invalid')) return undefined
  const url = new URL(address, 'http://relative.invalid')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  const match = /^(?:\/services\/platform)?\/api\/v1\/files\/([A-Za-z0-9_-]{22})\/([^/]+)$/.exec(url.pathname)
  const [, id, name] = match ?? []
  if (id === undefined || name === undefined) return undefined
  try {
    return {id, name: decodeURIComponent(name)}
  } catch {
    return undefined // a broken percent sequence names no file
  }
}

/**
 * The address of an image of this installation or of its page, as this page reaches it; none of another server. `page`
 * stands before a path.
 */
export function ownImage(
  address: string | null | undefined,
  {platform, page = ''}: {platform: string; page?: string},
): string | undefined {
  if (!address) return undefined
  const file = parseFileAddress(address)
  if (file) return `${platform}${filesPath}${file.id}/${encodeURIComponent(file.name)}`
  return isPagePath(address) ? page + address : undefined
}

const isPagePath = (address: string) => /^\/(?!\/)[\w./%-]*$/.test(address)

/**
 * Logos, favicons and avatars are shown to other people, so they come from our own store or from the page's own files,
 * never from a foreign server (security.md, "Site favicon and avatars by foreign URL"). `requestOrigin` is the
 * allow-listed Origin of the request. What is stored already may stay.
 */
export function refuseForeignImage(
  config: Config,
  requestOrigin: string | undefined,
  field: string,
  address: string | null | undefined,
  storedAddress?: string | null,
): void {
  if (!address || address === storedAddress || isPagePath(address)) return
  if (parseFileAddress(address) && URL.canParse(address) && isOwnOrigin(config, requestOrigin, new URL(address))) return
  throw badRequest('pictureElsewhere', field)
}

const isOwnOrigin = (config: Config, requestOrigin: string | undefined, {origin, hostname}: URL): boolean =>
  origin === requestOrigin ||
  origin === config.serviceOrigins.platform ||
  config.publicOrigins.includes(origin) ||
  // The port seen by the browser may be mapped (a container's).
  isLoopbackHost(hostname)
