import type {ConversationTree} from '#contract/imports.ts'
import type {ConversationRecord, RecordMessage} from './conversation.ts'

/**
 * The messages of a conversation that its path does not have: other versions and what follows them. `path`: the name
 * of the path beside which they were read.
 */
export type HiddenVersions = {path: string; messages: readonly RecordMessage[]}
/** By the key of their conversation. */
export type VersionsOf = Readonly<Record<string, HiddenVersions | undefined>>

/** Another one once a message or a version of one comes or goes. */
const pathName = ({messages}: ConversationRecord) => JSON.stringify(messages.map(({id, versions}) => [id, versions]))

const hasVersions = ({id, messages}: ConversationRecord) =>
  id !== undefined && messages.some(({versions}) => versions != null && versions.length > 1)

/** Those of a conversation, if they were read beside the path that it has now. */
export function versionsBeside(record: ConversationRecord, versions: VersionsOf): readonly RecordMessage[] {
  const hidden = versions[record.key]
  return hidden === undefined || hidden.path !== pathName(record) ? [] : hidden.messages
}

/** The conversations whose hidden versions are not read, or were read beside another path. */
export const unreadVersions = (records: readonly ConversationRecord[], versions: VersionsOf) =>
  records.filter((record) => hasVersions(record) && versions[record.key]?.path !== pathName(record))

/** The hidden versions in the server's tree of a conversation; none where it has no tree. */
export function hiddenVersions(record: ConversationRecord, tree: ConversationTree | undefined): HiddenVersions {
  const ids = new Set(record.messages.map(({id}) => id))
  const hiddenMessages = (tree?.messages ?? []).filter(({id, role}) => id != null && role !== 'system' && !ids.has(id))
  return {
    path: pathName(record),
    messages: hiddenMessages.map(({id, role, content}) => ({id, role, content})),
  }
}
