import type {RecordMessage} from './conversation.ts'

/** The position of a message among its versions, from 0, and the ids beside it; undefined for a single one. */
export function versionPosition({id, versions = []}: RecordMessage) {
  const own = versions.indexOf(id ?? '')
  const index = own === -1 ? versions.length : own
  const count = own === -1 ? versions.length + 1 : versions.length
  return count < 2 ? undefined : {index, count, previous: versions[index - 1], next: versions[index + 1]}
}
