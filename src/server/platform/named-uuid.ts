import {createHash} from 'node:crypto'

/** An id for a thing that has a name instead of a row: the first 128 bits of its SHA-256 as a UUID of version 8. */
export function namedUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return groups.join('-')
}
