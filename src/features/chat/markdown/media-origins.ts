import {createContext} from 'react'

export type MediaPolicy = {
  /** Origin of the page: base of relative addresses. */
  pageOrigin: string
  /** Addresses below which everything is a file of ours and shows without a click; each ends with `/` (security R03). */
  ownFiles: readonly string[]
  /** The page may load an image of another host when the user asks for it. */
  loadsForeign: boolean
}

const pageOrigin = globalThis.location?.origin ?? 'http://localhost'

export const MediaPolicyContext = createContext<MediaPolicy>({pageOrigin, ownFiles: [], loadsForeign: false})

/** Whether an address is one of our files. `url` is parsed: its path has no `..` left. */
export const isOwnFile = (url: URL, {ownFiles}: Pick<MediaPolicy, 'ownFiles'>) =>
  ownFiles.some((base) => `${url.origin}${url.pathname}`.startsWith(base))
