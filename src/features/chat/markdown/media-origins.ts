import {createContext} from 'react'
import type {ForeignImages} from '#contract/page-config.ts'

export type MediaPolicy = {
  /** Origin of the page; base of relative addresses. */
  pageOrigin: string
  /** Prefixes of our files' addresses, which load without a click; each ends with `/` (security R03). */
  ownFiles: readonly string[]
  /** The page may load images of other hosts on request: itself, or in a frame of its server. */
  foreignImages: ForeignImages
}

const pageOrigin = globalThis.location?.origin ?? 'http://localhost'

export const MediaPolicyContext = createContext<MediaPolicy>({pageOrigin, ownFiles: [], foreignImages: false})
