import {isSettled, stays, type RecordMessage} from '#domain/conversation.ts'
import {storedMessages} from '#domain/persisted-state.ts'
import {versionsToJoin} from '#domain/versions.ts'
import {pathPrefix, type BulkStorage} from './bulk-storage.ts'

/** Paths that are kept of one conversation, and of all conversations of a user. */
const mostOfConversation = 20
const most = 200

/** The time of writing, in Unix milliseconds, and the last message stand at the end of a key. */
const timeOf = (key: string) => Number(key.split('/').at(-2))
const endOf = (key: string) => decodeURIComponent(key.split('/').at(-1) ?? '')

/** The server has the message, with its whole text. */
const isComplete = (message: RecordMessage) =>
  message.id != null && message.unsent !== true && stays(message) && isSettled(message)

const namesOne = (messages: readonly RecordMessage[], ids: readonly string[]) =>
  messages.some(({id}) => id != null && ids.includes(id))

/** A path that was kept before a version was added does not name it: these messages may, the newest first. */
function withVersions(path: readonly RecordMessage[], messages: readonly RecordMessage[]): RecordMessage[] {
  const lists = messages.flatMap((message) => (message.versions == null ? [] : [versionsToJoin(message) ?? []]))
  return path.map((message) => {
    const versions = lists.find((each) => message.id != null && each.includes(message.id))
    return versions === undefined ? message : {...message, versions}
  })
}

/** Messages that the path has no more, and those of them that stand under another version. */
function leftMessages(before: readonly RecordMessage[], after: readonly RecordMessage[]) {
  const ids = new Set(after.map(({id}) => id))
  const versions = new Set(after.flatMap((message) => message.versions ?? []))
  const goneMessages = before.filter(({id, unsent}) => id != null && unsent !== true && !ids.has(id))
  return {goneMessages, isOtherVersion: goneMessages.some(({id}) => versions.has(id ?? ''))}
}

/**
 * Keeps paths of one conversation that were read, for the time without a network: the newest 20, and the newest 200 of
 * the user. They go with their conversation, with a message of theirs that is deleted, and with the sign-out.
 *
 * @param conversation the server's name
 */
export function createKeptPaths(
  {paths, flush}: Pick<BulkStorage, 'paths' | 'flush'>,
  {userId, conversation}: {userId: string; conversation: string},
) {
  const prefix = pathPrefix(userId, conversation)
  const keysOf = async (start: string) => {
    await flush()
    return (await paths.keysOf(start)).toSorted((one, other) => timeOf(other) - timeOf(one))
  }
  /** Newest first. */
  const read = async () => {
    const keys = await keysOf(prefix)
    const values = await paths.readAll(keys)
    return keys.flatMap((key, index) => {
      const parsing = storedMessages.safeParse(values[index])
      return parsing.success ? [{key, messages: parsing.data}] : []
    })
  }
  /** Removes what this path goes on from, and the oldest. */
  const bound = async (newestKey: string, messages: readonly RecordMessage[]) => {
    const keys = await keysOf(pathPrefix(userId))
    const isOutgrown = (key: string) => key !== newestKey && messages.some(({id}) => id === endOf(key))
    const ownKeys = keys.filter((key) => key.startsWith(prefix))
    const endedKeys = new Set([
      ...ownKeys.filter(isOutgrown),
      ...ownKeys.filter((key) => !isOutgrown(key)).slice(mostOfConversation),
    ])
    for (const key of keys.filter((each) => !endedKeys.has(each)).slice(most)) endedKeys.add(key)
    for (const key of endedKeys) paths.put(key, undefined)
  }
  const keep = async (messages: readonly RecordMessage[]) => {
    const completeMessages = messages.filter(isComplete)
    const end = completeMessages.at(-1)?.id
    if (end == null) return
    const key = `${prefix}${Date.now()}/${encodeURIComponent(end)}`
    // before anything is awaited: nothing is written after a sign-out
    paths.put(key, completeMessages)
    await bound(key, completeMessages)
  }
  const forget = async (ids: readonly string[]) => {
    for (const {key, messages} of ids.length === 0 ? [] : await read())
      if (namesOne(messages, ids)) paths.put(key, undefined)
  }
  return {
    keep,
    /**
     * The newest path through a message, with the versions that are known today.
     * @param chosenMessages those of the conversation
     */
    async find(message: string, chosenMessages: readonly RecordMessage[]): Promise<RecordMessage[] | undefined> {
      const records = await read()
      const path = records.find(({messages}) => namesOne(messages, [message]))?.messages
      return path && withVersions(path, [...chosenMessages, ...records.flatMap(({messages}) => messages)])
    },
    /** Removes the paths through these messages. */
    forget,
    /** The conversation has these messages instead: keeps the path left for a version, none through a deleted one. */
    async follow(before: readonly RecordMessage[], after: readonly RecordMessage[]): Promise<void> {
      const {goneMessages, isOtherVersion} = leftMessages(before, after)
      if (isOtherVersion) await keep(before)
      const deletedMessages = isOtherVersion ? goneMessages.filter((message) => !stays(message)) : goneMessages
      await forget(deletedMessages.flatMap(({id}) => id ?? []))
    },
  }
}

export type KeptPaths = ReturnType<typeof createKeptPaths>
