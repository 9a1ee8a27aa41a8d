import type {ConversationTree} from '#contract/imports.ts'
import {isSettled, type ConversationRecord, type RecordMessage} from './conversation.ts'

/**
 * A message that the path of its conversation does not have. `parent`: the id of the message before it; `hidden_at`: when
 * it last left the shown path, in unix seconds.
 */
export type HiddenMessage = RecordMessage & {parent?: string | undefined; hidden_at?: number | undefined}

/**
 * Names of hidden versions, by the id of their conversation: the path beside which they were read and, where the server
 * says it, the revision.
 */
export type VersionNames = Readonly<Record<string, string | undefined>>

/** 32 bits of a text (FNV-1a). */
const hashOf = (text: string) => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Another one once a version is shown, comes or goes. What follows the last message with versions hides nothing. */
const pathName = ({messages}: ConversationRecord) =>
  hashOf(JSON.stringify(messages.flatMap(({id, versions}) => (isFork({versions}) ? [[id, versions]] : []))))

const isFork = ({versions}: Pick<RecordMessage, 'versions'>) => versions != null && versions.length > 1

const forkedRecords = new WeakMap<ConversationRecord, boolean>()
/** Looked up once in each record: every letter of a search asks all conversations. */
export function hasVersions(record: ConversationRecord): boolean {
  const isForked = forkedRecords.get(record) ?? (record.id !== undefined && record.messages.some(isFork))
  forkedRecords.set(record, isForked)
  return isForked
}

const revisionPart = (revision: string) => `/${encodeURIComponent(revision)}`

/** The name under which the hidden versions of a conversation are kept, as it is now; none without versions. */
export const versionsName = (record: ConversationRecord): string | undefined =>
  hasVersions(record) ? `${pathName(record)}${revisionPart(record.revision ?? '')}` : undefined

/**
 * The hidden versions of this name belong to the conversation as it is now. A revision has one path; a conversation that
 * was changed here has no revision, and until the server's copy comes its path decides.
 */
export function isVersionsName(record: ConversationRecord, name: string | undefined): boolean {
  if (name === undefined || !hasVersions(record)) return false
  return record.revision === undefined
    ? name.startsWith(`${pathName(record)}/`)
    : name.endsWith(revisionPart(record.revision))
}

const isUnread = (record: ConversationRecord, names: VersionNames) =>
  hasVersions(record) && !isVersionsName(record, names[record.id ?? ''])

/** Whether the hidden versions of one are not read, or were read beside another path or revision. */
export const lacksVersions = (records: readonly ConversationRecord[], names: VersionNames): boolean =>
  records.some((record) => isUnread(record, names))

/** The conversations whose hidden versions are not read, the first of them. */
export function unreadVersions(records: readonly ConversationRecord[], names: VersionNames, most: number) {
  const unreadRecords: ConversationRecord[] = []
  for (const record of records) {
    if (unreadRecords.length === most) break
    if (isUnread(record, names)) unreadRecords.push(record)
  }
  return unreadRecords
}

/** The hidden versions in the server's tree of a conversation, and what follows them; none where it has no tree. */
export function hiddenVersions(record: ConversationRecord, tree: ConversationTree | undefined): HiddenMessage[] {
  const ids = new Set(record.messages.map(({id}) => id))
  const nodes = tree?.messages ?? []
  return nodes.flatMap(({parent, hidden_at: hiddenAt, ...message}) => {
    if (message.id == null || message.role === 'system' || ids.has(message.id)) return []
    const before = parent === null ? undefined : nodes[parent]?.id
    return [{...message, ...(before != null && {parent: before}), ...(hiddenAt != null && {hidden_at: hiddenAt})}]
  })
}

const shownUntil = ({hidden_at: hiddenAt, created_at: createdAt}: HiddenMessage) => hiddenAt ?? createdAt ?? 0

/**
 * The path through a hidden message, to what was shown last behind it (docs/decisions/0209), as far as these say it.
 * Undefined where the message is none of them, or hangs on one that this device does not have.
 */
export function hiddenPath(
  {messages}: Pick<ConversationRecord, 'messages'>,
  allHidden: readonly HiddenMessage[],
  id: string,
): RecordMessage[] | undefined {
  const hiddenMessages = allHidden.filter(isSettled)
  const byId = new Map(hiddenMessages.map((message) => [message.id, message]))
  const childrenOf = (parent: string | undefined) => hiddenMessages.filter((message) => message.parent === parent)
  const lastShownAfter = (parent: string) =>
    childrenOf(parent)
      .toSorted((one, other) => shownUntil(one) - shownUntil(other))
      .at(-1)
  const withVersions = ({parent, hidden_at: _, ...message}: HiddenMessage): RecordMessage => {
    const name = message.id ?? ''
    const versions =
      messages.find((each) => each.versions?.includes(name))?.versions ??
      childrenOf(parent).flatMap((each) => (each.role === message.role ? (each.id ?? []) : []))
    return versions.length > 1 ? {...message, versions} : message
  }
  const path: HiddenMessage[] = []
  let message = byId.get(id)
  while (message !== undefined && !path.includes(message)) {
    path.unshift(message)
    message = byId.get(message.parent)
  }
  const [first] = path
  if (first === undefined) return undefined
  const before = first.parent === undefined ? -1 : messages.findIndex((each) => each.id === first.parent)
  if (first.parent !== undefined && before === -1) return undefined
  let next = lastShownAfter(id)
  while (next !== undefined && !path.includes(next)) {
    path.push(next)
    next = lastShownAfter(next.id ?? '')
  }
  return [...messages.slice(0, before + 1), ...path.map(withVersions)]
}
