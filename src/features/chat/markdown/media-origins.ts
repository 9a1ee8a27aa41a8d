import {createContext} from 'react'

export type MediaPolicy = {
  /** Origin of the page; base of relative addresses. */
  pageOrigin: string
  /** Prefixes of our files' addresses, which load without a click; each ends with `/` (security R03). */
  ownFiles: readonly string[]
  /** The page may load images of other hosts on request. */
  loadsForeign: boolean
}

const pageOrigin = globalThis.location?.origin ?? 'http://localhost'

export const MediaPolicyContext = createContext<MediaPolicy>({pageOrigin, ownFiles: [], loadsForeign: false})

/** Whether an address is one of our files. `url` is parsed, so its path contains no `..`. */
export const isOwnFile = (url: URL, {ownFiles}: Pick<MediaPolicy, 'ownFiles'>) =>
  ownFiles.some((base) => `${url.origin}${url.pathname}`.startsWith(base))
