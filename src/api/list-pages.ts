import type {Conversation} from '#contract/chat.ts'
import type {ListAnswer} from '#contract/schema.ts'
import {z} from '#contract/schema.ts'
import {isSettled, toRecord, type ConversationRecord} from '#domain/conversation.ts'
import {ApiError} from './api-error.ts'
/** `limit` and `offset` are our extension. */
export type BatchInput = {userId?: string; applicationId?: string; ids?: string[]; limit?: number; offset?: number}

type Calls = {
  retrieveBatch: (input: BatchInput, signal?: AbortSignal) => Promise<ListAnswer<Conversation>>
  command: <T>(
    answer: z.core.$ZodType<T>,
    body: object,
    options: {isRead: true; signal?: AbortSignal | undefined},
  ) => Promise<T>
}

export type ListPageInput = {
  userId: string
  offset: number
  /** The copies of the device. */
  kept: readonly ConversationRecord[]
  /** The records of the pages before this one. */
  records: readonly ConversationRecord[]
  /** The model of a conversation that names none. */
  model: string
  /** The capabilities of the service. */
  capabilities: readonly string[]
}
export type ListPage = {records: ConversationRecord[]; next?: number | undefined}

/** Conversations of one `retrieve_batch`. */
const pageSize = 100

const isRefused = (error: unknown) => error instanceof ApiError && error.status === 400

/** A page of the list: of a device that keeps copies of revisions, to a server that names them, what changed. */
export async function readPage(calls: Calls, input: ListPageInput, signal?: AbortSignal): Promise<ListPage> {
  const isNamed = input.capabilities.includes('revisions') && input.kept.some(({revision}) => revision !== undefined)
  const revisions = isNamed ? await readRevisions(calls, signal) : undefined
  return revisions === undefined ? readAny(calls, input, signal) : readChanged(calls, input, revisions, signal)
}

/** The conversations from `offset` on. A server that refuses paging has no more. */
async function readAny(
  {retrieveBatch}: Calls,
  {userId, offset, model}: ListPageInput,
  signal?: AbortSignal,
): Promise<ListPage> {
  const paging = offset === 0 ? {} : {limit: pageSize, offset}
  try {
    const {items, count} = await retrieveBatch({userId, ...paging}, signal)
    const records = items.map((item) => toRecord(item, model))
    const end = offset + items.length
    return items.length > 0 && end < count ? {records, next: end} : {records}
  } catch (error) {
    if (offset > 0 && isRefused(error)) return {records: []}
    throw error
  }
}

const revisionList = z.object({revisions: z.record(z.string(), z.string())})

/** The copies that may stand for the server's, by its ids: a running answer grows without another revision. */
const copiesById = (records: readonly ConversationRecord[]) =>
  new Map(records.flatMap((record) => (record.messages.every(isSettled) ? [[record.id ?? record.key, record]] : [])))

/**
 * Those whose copy has another revision than the server names (decision 169) are read, a hundred a page. The copies of
 * the others are in the page as they are, so that what the server does not name is gone. Where all of a page are gone
 * meanwhile, the next one replaces it: an empty page says nothing about the rest.
 */
async function readChanged(
  calls: Calls,
  input: ListPageInput,
  revisions: Record<string, string>,
  signal?: AbortSignal,
): Promise<ListPage> {
  const {userId, kept, records, model} = input
  const copies = copiesById(kept)
  const readIds = new Set(records.map(({id}) => id))
  const unreadIds = Object.keys(revisions).filter((id) => !readIds.has(id))
  const changedIds = unreadIds.filter((id) => copies.get(id)?.revision !== revisions[id])
  const batch = changedIds.slice(0, pageSize)
  const {items} = batch.length === 0 ? {items: []} : await calls.retrieveBatch({userId, ids: batch}, signal)
  const changed = new Map(items.map((item) => [item.id, toRecord(item, model)]))
  const batchIds = new Set(batch)
  const following = changedIds[pageSize]
  const pageIds = following === undefined ? unreadIds : unreadIds.slice(0, unreadIds.indexOf(following))
  const page = pageIds.flatMap((id) => (batchIds.has(id) ? changed.get(id) : copies.get(id)) ?? [])
  if (following === undefined) return {records: page}
  if (page.length > 0) return {records: page, next: records.length + page.length}
  const goneIds = new Set(pageIds)
  const others = Object.entries(revisions).filter(([id]) => !goneIds.has(id))
  return readChanged(calls, input, Object.fromEntries(others), signal)
}

/** By id, the newest first; undefined where the server does not know the action, as during an upgrade. */
async function readRevisions({command}: Calls, signal: AbortSignal | undefined) {
  try {
    return (await command(revisionList, {action: 'revisions'}, {isRead: true, signal})).revisions
  } catch (error) {
    if (isRefused(error)) return undefined
    throw error
  }
}
