import {z} from '#contract/schema.ts'
import {task} from '#contract/task.ts'
import {otherKeys, storedDraft, type StoredDraft, type StoredDrafts} from '#domain/draft.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {askOf} from '#domain/exchange.ts'
import {storedIntent} from '#domain/intent.ts'
import type {Log} from '#domain/log.ts'
import {mergeConversation} from '#domain/merge-conversation.ts'
import {parseJson} from '#domain/parse-json.ts'
import {storedMessages} from '#domain/persisted-state.ts'
import {storedAsk} from '#domain/stored-follow-up.ts'
import {unsentOf, withUnsent} from '#domain/versions.ts'

/* These rules for stored records are loaded with the database: a browser without one needs none of them. */

const conversationRecord = z.object({
  key: z.string().check(z.minLength(1)),
  id: z.optional(z.string()),
  model: z.string(),
  title: z.optional(z.string()),
  messages: storedMessages,
  unsentVersions: z.optional(z.array(storedMessages)),
  followUps: z.optional(z.array(storedAsk)),
  preset: z.optional(z.string()),
  pinned: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  labels: z.optional(z.array(z.string())),
  revision: z.optional(z.string()),
  updatedAt: z.number(),
})

/** An earlier version stored the one question that waited as the last message. */
function withFollowUps<Item extends Pick<ConversationRecord, 'messages' | 'followUps'>>(record: Item): Item {
  const last = record.messages.at(-1)
  if (last?.role !== 'user' || last.unsent !== true) return record
  return {...record, messages: record.messages.slice(0, -1), followUps: [askOf(last, last.id ?? '')]}
}

/** Returns the values that have the shape of `schema`. */
const valid =
  <T>(schema: z.ZodMiniType<T>) =>
  (storedValues: readonly unknown[]): T[] =>
    storedValues.flatMap((value) => {
      const parsing = schema.safeParse(value)
      return parsing.success ? [parsing.data] : []
    })

const validConversations = valid(conversationRecord)
/** Newest first. */
export function toConversations(storedValues: readonly unknown[], log: Log): ConversationRecord[] {
  const conversations = validConversations(storedValues).map(withFollowUps)
  if (conversations.length < storedValues.length) log('Stored conversations of another shape were left out')
  return conversations.sort((one, other) => other.updatedAt - one.updatedAt)
}
/**
 * One conversation that two tabs stored: the one where it began under the key of that page, another under the server's
 * name. The page's key stays, as its draft waits there; questions that wait are in either.
 */
function joinTwins(one: ConversationRecord, other: ConversationRecord): ConversationRecord {
  const [own, copy] = one.key === one.id ? [other, one] : [one, other]
  const isOutdated = copy.updatedAt > own.updatedAt
  // one put together is no copy of the server's
  const twin = isOutdated
    ? {...mergeConversation(own, copy), revision: undefined}
    : withUnsent(own, unsentOf(own, copy))
  const {followUps = []} = own
  const others = (copy.followUps ?? []).filter(({key}) => followUps.every((ask) => ask.key !== key))
  return followUps.length + others.length > 0 ? {...twin, followUps: [...followUps, ...others]} : twin
}

/** Each conversation once, where it first stands. Found by its names: a browser may keep thousands. */
function joinSame(
  records: readonly ConversationRecord[],
  join: (one: ConversationRecord, other: ConversationRecord) => ConversationRecord,
): ConversationRecord[] {
  const joinedRecords: ConversationRecord[] = []
  const positionsByKey = new Map<string, number>()
  const positionsById = new Map<string, number>()
  for (const record of records) {
    const {key, id} = record
    const namedPosition = id === undefined ? undefined : positionsById.get(id)
    const position = positionsByKey.get(key) ?? namedPosition ?? joinedRecords.length
    const twin = joinedRecords[position]
    joinedRecords[position] = twin === undefined ? record : join(twin, record)
    positionsByKey.set(key, position)
    if (id !== undefined) positionsById.set(id, position)
  }
  return joinedRecords
}

/**
 * The bulk storage has every conversation whole, but a page that goes has no time to write there: what the server named
 * last stands in the recent ones alone.
 */
export function joinStored(
  whole: readonly ConversationRecord[],
  recent: readonly ConversationRecord[],
): ConversationRecord[] {
  const idsByKey = new Map(recent.map(({key, id}) => [key, id]))
  const wholeKeys = new Set(whole.map(({key}) => key))
  const withIds = whole.map((record) => {
    const id = record.id ?? idsByKey.get(record.key)
    return id === undefined ? record : {...record, id}
  })
  const others = recent.filter(({key}) => !wholeKeys.has(key))
  return joinSame([...joinSame(withIds, joinTwins), ...others], (first) => first)
}

/** A conversation that has no id of the server's. */
export const isLocal = (storedValue: unknown) => validConversations([storedValue]).some(({id}) => id === undefined)
export const toTasks = valid(task)
export const toIntents = valid(storedIntent)

const timedDraft = z.object({...storedDraft.shape, at: z.optional(z.number())})
const draftTable = z.record(z.string(), storedDraft)
const draftsInText = z.object({text: z.string()})

/** Earlier versions stored all drafts of a user here: a table, or before that its JSON as the text of one draft. */
const draftTableKey = 'composer'

/** A value that cannot be read is no draft. */
function draftsOfTable(storedValue: unknown): StoredDrafts {
  const parsing = draftTable.safeParse(storedValue)
  if (parsing.success) return parsing.data
  const earlier = draftsInText.safeParse(storedValue)
  const inText = draftTable.safeParse(earlier.success ? parseJson(earlier.data.text) : undefined)
  return inText.success ? inText.data : {}
}

/** Drafts changed in a page's last moments; `null`: sent or emptied. `typed`: it did not know what was stored. */
const leftRecord = z.object({
  owner: z.string(),
  drafts: z.record(z.string(), z.nullable(storedDraft)),
  typed: z.optional(z.boolean()),
})

type LeftRecord = z.infer<typeof leftRecord>

/** Adds the drafts that one more page left: of the texts under one key the older one waits beside the newer. */
function withLeft(earlier: ReadonlyMap<string, StoredDraft | null>, {drafts}: LeftRecord) {
  const all = new Map([...earlier, ...Object.entries(drafts)])
  const waitingKeys = new Set(Object.keys(drafts).flatMap(otherKeys))
  for (const [key, draft] of Object.entries(drafts)) {
    const before = earlier.get(key)
    if (!draft || !before || waitingKeys.has(key)) continue
    const isThere = [key, ...otherKeys(key)].some((each) => all.get(each)?.text === before.text)
    const freeKey = otherKeys(key).find((each) => !all.get(each))
    if (!isThere && freeKey !== undefined) all.set(freeKey, before)
  }
  return all
}

/** Drafts of a user, by key. `typed`: they go before those that are stored. `rest`: the lines of other users. */
export type LeftDrafts = {
  known: readonly (readonly [string, StoredDraft | null])[]
  typed: readonly (readonly [string, StoredDraft])[]
  rest?: string | undefined
}

/** Reads the drafts that earlier pages left for a user, a line each: the newest last. Unreadable lines are none. */
export function toLeftDrafts(userId: string, leftText: string): LeftDrafts {
  const lines = leftText.split('\n').flatMap((line) => {
    const parsing = leftRecord.safeParse(parseJson(line))
    return parsing.success ? [{line, record: parsing.data}] : []
  })
  const records = lines.flatMap(({record}) => (record.owner === userId ? [record] : []))
  const knownRecords = records.filter(({typed}) => typed !== true)
  const typedDrafts = records.filter((record) => record.typed === true).flatMap(({drafts}) => Object.entries(drafts))
  return {
    known: [...knownRecords.reduce<ReadonlyMap<string, StoredDraft | null>>(withLeft, new Map())],
    typed: typedDrafts.flatMap(([key, draft]) => (draft ? [[key, draft] as const] : [])),
    rest: lines.flatMap(({line, record}) => (record.owner === userId ? [] : [line])).join('\n') || undefined,
  }
}

/** Milliseconds; a draft that was changed since is kept, however many there are. */
const freshDuration = 180 * 24 * 60 * 60 * 1000
/** So many are kept whatever their age. */
const fewDrafts = 200

/**
 * Drafts of a user from their records and the ends of their keys. `save` gives those of the table of an earlier version
 * a record of their own, and removes the ones that nobody touched for half a year, beyond the newest 200.
 */
export function toDrafts(
  keys: readonly string[],
  values: readonly unknown[],
  save: (key: string, draft: StoredDraft | undefined) => void,
): StoredDrafts {
  const now = Date.now()
  const records = new Map(keys.map((key, index) => [key, values[index]]))
  const knownDrafts = [...records].flatMap(([key, value]) => {
    const parsing = key === draftTableKey ? undefined : timedDraft.safeParse(value)
    if (parsing?.success !== true) return []
    const {at = now, ...draft} = parsing.data
    return [{key, draft, at}]
  })
  const ownKeys = new Set(knownDrafts.map(({key}) => key))
  const movedDrafts = Object.entries(draftsOfTable(records.get(draftTableKey))).filter(([key]) => !ownKeys.has(key))
  const oldKeys = knownDrafts
    .toSorted((one, other) => other.at - one.at)
    .slice(fewDrafts)
    .flatMap(({key, at}) => (at < now - freshDuration ? [key] : []))
  for (const [key, draft] of movedDrafts) save(key, draft)
  for (const key of records.has(draftTableKey) ? [...oldKeys, draftTableKey] : oldKeys) save(key, undefined)
  const keptDrafts = knownDrafts.filter(({key}) => !oldKeys.includes(key)).map(({key, draft}) => [key, draft] as const)
  return Object.fromEntries([...movedDrafts, ...keptDrafts])
}
