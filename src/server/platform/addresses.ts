import type {Config} from '../config.ts'
import {badRequest} from '../http/failure.ts'

/** Where files of this installation stand below the platform's base. */
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

/** The path of a file of ours below the platform's base: `{id, name}`, for an absolute or a root-relative address. */
export function parseFileAddress(config: Config, address: string): {id: string; name: string} | undefined {
  if (!URL.canParse(address, 'http://relative.invalid')) return undefined
  const url = new URL(address, 'http://relative.invalid')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (!isOwnOrigin(config, url)) return undefined
  const match = /^(?:\/services\/platform)?\/api\/v1\/files\/([A-Za-z0-9_-]{22})\/([^/]+)$/.exec(url.pathname)
  const [, id, name] = match ?? []
  if (id === undefined || name === undefined) return undefined
  try {
    return {id, name: decodeURIComponent(name)}
  } catch {
    return undefined // a broken percent sequence names no file
  }
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

function isOwnOrigin(config: Config, url: URL): boolean {
  if (url.hostname === 'relative.invalid') return true
  if (config.serviceOrigins.platform === url.origin || config.publicOrigins.includes(url.origin)) return true
  return loopbackNames.has(url.hostname) && url.port === String(config.port)
}

/**
 * Logos, favicons and avatars are shown to other people, so they come from our own store or from the page's own files,
 * never from a foreign server (security.md, "Site favicon and avatars by foreign URL").
 */
export function refuseForeignImage(config: Config, field: string, address: string | null | undefined): void {
  if (!address) return
  const isPagePath = /^\/(?!\/)[\w./%-]*$/.test(address)
  if (isPagePath || parseFileAddress(config, address)) return
  throw badRequest('Upload the picture first: only files of this installation can be used here.', field)
}
