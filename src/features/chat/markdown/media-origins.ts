import {createContext} from 'react'

export type MediaPolicy = {
  /** Origin of the page: base of relative addresses. */
  pageOrigin: string
  /** Origins whose pictures show without a click: ours. Never one that fetches addresses for others (security R03). */
  ownOrigins: readonly string[]
}

const pageOrigin = globalThis.location?.origin ?? 'http://localhost'

export const MediaPolicyContext = createContext<MediaPolicy>({pageOrigin, ownOrigins: [pageOrigin]})
