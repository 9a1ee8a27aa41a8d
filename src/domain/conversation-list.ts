import {isSettled, type ConversationRecord} from './conversation.ts'
import {mergeConversation} from './merge-conversation.ts'

/** A conversation whose last answer has not settled, or with follow-ups that go out by themselves. */
export const isRunning = ({messages, followUps = []}: ConversationRecord) => {
  const last = messages.at(-1)
  if (followUps.length > 0 && last?.state !== 'failed') return true
  return last?.role === 'assistant' && !isSettled(last)
}

/** A conversation without a server id: its first question was refused or is in flight. */
const isLocal = ({id, messages}: ConversationRecord) => id === undefined && messages.length > 0

const hasFollowUps = ({followUps = []}: ConversationRecord) => followUps.length > 0

/** A conversation with parts that no server has: it stays even if the list cannot be read (security R42). */
export const isOurs = (record: ConversationRecord) =>
  isRunning(record) ||
  isLocal(record) ||
  hasFollowUps(record) ||
  record.unsentVersions !== undefined ||
  record.messages.some(({unsent}) => unsent === true)

/** Finds the first of some records that is the same conversation, by an index of their names. */
function finderIn(records: readonly ConversationRecord[]) {
  const namesOf = ({key, id = key}: ConversationRecord) => [key, id]
  const entries = records.flatMap((record, position) => namesOf(record).map((name) => [name, position] as const))
  const positions = new Map(entries.reverse())
  return (record: ConversationRecord) =>
    records[Math.min(...namesOf(record).map((name) => positions.get(name) ?? Number.POSITIVE_INFINITY))]
}

/**
 * Merges the server's list with ours: server's order, each conversation merged with our copy. Ours stay if they run, if
 * the server does not know them yet, or if `isKept` says so; those come first.
 */
export function mergeConversations(
  ours: readonly ConversationRecord[],
  theirs: readonly ConversationRecord[],
  isKept: (record: ConversationRecord) => boolean,
): ConversationRecord[] {
  const findOwn = finderIn(ours)
  const findTheirs = finderIn(theirs)
  const mergedRecords = theirs.map((record) => {
    const own = findOwn(record)
    // one that was not read again is ours
    return own === undefined || own === record ? record : mergeConversation(own, record)
  })
  const extra = ours.filter(
    (record) => findTheirs(record) === undefined && (isRunning(record) || isLocal(record) || isKept(record)),
  )
  return [...extra, ...mergedRecords]
}
