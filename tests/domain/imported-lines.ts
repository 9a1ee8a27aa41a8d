import type {ImportConversation, ImportRead} from '#domain/import-conversation.ts'
import {readImport} from '#domain/import-file.ts'

/** Reads an export that is one. */
export function importOf(file: unknown): ImportRead {
  const result = readImport(file)
  if ('fault' in result) throw new Error(`The file is ${result.fault}`)
  return result
}

/** The role, the text and the parent of each message. */
export const linesOf = ({messages}: Pick<ImportConversation, 'messages'>) =>
  messages.map(({role, content, parent}) => [role, content, parent])
