import type {FileReference} from '#machines/draft-files/draft-files.types.ts'
import {addressName} from './message-view.tsx'

/** The files of a question by their addresses. `nameless`: what one without a name is called. */
export const referencesOf = (addresses: readonly string[], nameless: string): FileReference[] =>
  addresses.map((url) => ({url, name: addressName(url) ?? nameless}))
