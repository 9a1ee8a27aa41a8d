import {optional, z} from './schema.ts'

/** Largest file our server accepts, in bytes (security R30). */
export const largestFile = 20 * 1_048_576

/**
 * The part of the page's configuration about files, read with the first file, so that a start does not load it.
 * `largestFile`: the most bytes that the platform takes; without it the page refuses no file for its size.
 */
export const filesConfig = z.object({largestFile: optional(z.number())})
