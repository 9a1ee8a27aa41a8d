import type {FileRule} from './file-rules.ts'

/** Images of a site and of a user: what a browser shows in a page and in its tab (design/screens §11). */
export const imageRule: FileRule = {
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  maxBytes: 1_048_576,
}
