import type {RecordMessage} from './conversation.ts'
import {isVersionOf, unsentLength, unsentName, versionsToJoin} from './versions.ts'

/** The name of a message among its versions: the server's id, or that of a version that no server has. */
export function versionName(messages: readonly RecordMessage[], index: number): string | undefined {
  const message = messages[index]
  const name = message?.unsent === true ? unsentName(messages.slice(index, index + unsentLength(message))) : message?.id
  return name ?? undefined
}

/** The names of the versions of a message: those of the server, oldest first, then those that no server has. */
export const versionNames = (
  message: RecordMessage,
  unsentVersions: readonly RecordMessage[][] = [],
): readonly string[] => [
  ...(versionsToJoin(message) ?? []),
  ...unsentVersions.flatMap((version) =>
    version[0] !== undefined && isVersionOf(message, version[0]) ? (unsentName(version) ?? []) : [],
  ),
]

/**
 * The position of a message among its versions, from 0, and the names beside it; undefined for a single one.
 * @param name that of the message itself
 */
export function versionPosition(
  message: RecordMessage,
  unsentVersions?: readonly RecordMessage[][],
  name: string | null | undefined = message.id,
) {
  const names = versionNames(message, unsentVersions)
  const own = names.indexOf(name ?? '')
  const index = own === -1 ? names.length : own
  const count = own === -1 ? names.length + 1 : names.length
  return count < 2 ? undefined : {index, count, previous: names[index - 1], next: names[index + 1]}
}
