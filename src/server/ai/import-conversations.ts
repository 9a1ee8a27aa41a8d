import type {IntlShape} from '@formatjs/intl'
import {and, eq, inArray, isNotNull, isNull, lt, sum} from 'drizzle-orm'
import type {ChatCommand} from '#contract/chat-requests.ts'
import {importedConversation, type ImportedConversation} from '#contract/import-requests.ts'
import type {ImportAnswer, ImportKey} from '#contract/imports.ts'
import type {Identity} from '../auth/identity.ts'
import {badRequest, HttpFailure} from '../http/failure.ts'
import {parseStrictly} from '../http/parse.ts'
import type {Database, Transaction} from '../store/database.ts'
import {conversations} from '../store/schema/chat.ts'
import {isOurId, type ConversationRow} from './conversations.ts'
import {insertImported, showImported} from './import-messages.ts'

type Command<TAction extends ChatCommand['action']> = Extract<ChatCommand, {action: TAction}>
type ImportDeps = {database: Database; now: () => Date}
type Result = ImportAnswer['items'][number]

/** Bytes of text that a user may import; deleting what was imported makes room again. */
const mostImportBytes = 512 * 1024 * 1024
/** A conversation whose other parts never came is deleted after a day. */
const keptPartMilliseconds = 24 * 60 * 60 * 1_000

/**
 * `import`: conversations of a file, each in a transaction of its own. An imported conversation is left unchanged, so
 * that the same file can be imported again; a refusal states its reason and concerns one conversation.
 */
export async function importConversations(
  parts: ImportDeps,
  identity: Identity,
  {items}: Command<'import'>,
  intl: IntlShape,
): Promise<ImportAnswer> {
  const results: Result[] = []
  for (const givenItem of items) {
    try {
      const item = parseStrictly(importedConversation, givenItem, 'body')
      results.push(await importOne(parts, identity, item, Buffer.byteLength(JSON.stringify(givenItem))))
    } catch (error) {
      if (!(error instanceof HttpFailure) || error.status >= 500) throw error
      const sourceId = typeof givenItem.source_id === 'string' ? {source_id: givenItem.source_id.slice(0, 200)} : {}
      results.push({...sourceId, state: 'refused', code: error.code, detail: error.detailIn(intl)})
    }
  }
  return {items: results}
}

const importOne = ({database, now}: ImportDeps, identity: Identity, item: ImportedConversation, bytes: number) =>
  database.asUser(identity.userId, async (transaction): Promise<Result> => {
    const {source_id: sourceId} = item
    const earlierImport = await findImport(transaction, identity.userId, item)
    if (earlierImport !== undefined && earlierImport.importLeft === null)
      return {source_id: sourceId, state: 'present', id: earlierImport.id}
    const remaining = item.total - item.from - item.messages.length
    // the answer to this part was lost
    if (item.from > 0 && remaining > 0 && earlierImport?.importLeft === remaining)
      return {source_id: sourceId, state: 'partial'}
    const row = await openImport(transaction, identity, item, {known: earlierImport, bytes, now: now()})
    await insertImported(transaction, row, item, now())
    if (remaining > 0) {
      await transaction.update(conversations).set({importLeft: remaining}).where(eq(conversations.id, row.id))
      return {source_id: sourceId, state: 'partial'}
    }
    await showImported(transaction, row.id, item.current)
    const updatedAt = timeOf(item.updated_at, now())
    await transaction.update(conversations).set({importLeft: null, updatedAt}).where(eq(conversations.id, row.id))
    return {source_id: sourceId, state: 'imported', id: row.id}
  })

/** The clock of another computer may be ahead of ours. */
const timeOf = (seconds: number | undefined, now: Date) =>
  seconds === undefined ? now : new Date(Math.min(seconds * 1_000, now.getTime()))

/** The conversation that a key of a file names: imported before, or the very one that was exported. */
async function findImport(
  transaction: Transaction,
  userId: string,
  {source, source_id: id}: ImportKey,
): Promise<ConversationRow | undefined> {
  const isOwn = eq(conversations.userId, userId)
  const [importedRow] = await transaction
    .select()
    .from(conversations)
    .where(and(isOwn, eq(conversations.importSource, source), eq(conversations.importId, id)))
    .for('update')
  if (importedRow !== undefined || source !== 'atrium' || !isOurId(id)) return importedRow
  const [exportedRow] = await transaction
    .select()
    .from(conversations)
    .where(and(isOwn, eq(conversations.id, id), isNull(conversations.importLeft)))
  return exportedRow
}

type Opening = {known: ConversationRow | undefined; bytes: number; now: Date}

async function openImport(
  transaction: Transaction,
  {userId, applicationId}: Identity,
  item: ImportedConversation,
  {known, bytes, now}: Opening,
): Promise<ConversationRow> {
  if (item.from + item.messages.length > item.total) throw badRequest('wrongValue', 'total')
  await requireRoom(transaction, userId, bytes)
  if (item.from > 0) {
    if (known?.importLeft !== item.total - item.from) throw new HttpFailure(409, 'duplication', 'importOrder')
    const importBytes = (known.importBytes ?? 0) + bytes
    await transaction.update(conversations).set({importBytes, updatedAt: now}).where(eq(conversations.id, known.id))
    return known
  }
  // its other parts did not come: it begins again
  if (known !== undefined) await transaction.delete(conversations).where(eq(conversations.id, known.id))
  const {source, source_id: importId, title, model, preset, labels = []} = item
  const [newRow] = await transaction
    .insert(conversations)
    .values({
      userId,
      applicationId,
      model,
      title: title?.trim() || null,
      preset: preset?.trim() || null,
      isPinned: item.pinned ?? false,
      isArchived: item.archived ?? false,
      labels: [...new Set(labels.map((label) => label.trim().normalize('NFC')))],
      importSource: source,
      importId,
      importBytes: bytes,
      importLeft: item.total,
      createdAt: timeOf(item.created_at ?? item.updated_at, now),
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning()
  // another tab is sending the same one
  if (newRow === undefined) throw new HttpFailure(409, 'duplication', 'importOrder')
  return newRow
}

async function requireRoom(transaction: Transaction, userId: string, bytes: number): Promise<void> {
  const [storedRow] = await transaction
    .select({bytes: sum(conversations.importBytes).mapWith(Number)})
    .from(conversations)
    .where(and(eq(conversations.userId, userId), isNotNull(conversations.importSource)))
  if ((storedRow?.bytes ?? 0) + bytes > mostImportBytes)
    throw new HttpFailure(413, 'content_too_large', 'importMost', {values: {most: mostImportBytes / 1024 / 1024}})
}

/** `imported`: which of these are here already, and as which conversation. */
export const findImports = (
  {database}: Pick<ImportDeps, 'database'>,
  {userId}: Identity,
  {items}: Command<'imported'>,
): Promise<{items: (ImportKey & {id: string})[]}> =>
  database.asUser(userId, async (transaction) => {
    if (items.length === 0) return {items: []}
    const isComplete = and(eq(conversations.userId, userId), isNull(conversations.importLeft))
    const ids = items.map(({source_id: id}) => id)
    const importedRows = await transaction
      .select({id: conversations.id, source: conversations.importSource, sourceId: conversations.importId})
      .from(conversations)
      .where(and(isComplete, isNotNull(conversations.importSource), inArray(conversations.importId, ids)))
    const exportedRows = await transaction
      .select({id: conversations.id})
      .from(conversations)
      .where(and(isComplete, inArray(conversations.id, ids.filter(isOurId))))
    const idsBySource = new Map(importedRows.map(({id, source, sourceId}) => [`${source}/${sourceId}`, id]))
    for (const {id} of exportedRows) idsBySource.set(`atrium/${id}`, id)
    return {
      items: items.flatMap((key) => {
        const id = idsBySource.get(`${key.source}/${key.source_id}`)
        return id === undefined ? [] : [{...key, id}]
      }),
    }
  })

const partsAtOnce = 20

/**
 * Deletes some conversations that were begun to import and never finished. As the system: of all users. Returns whether
 * there may be more.
 */
export async function deleteOldParts(transaction: Transaction, now: Date): Promise<boolean> {
  const isOld = lt(conversations.updatedAt, new Date(now.getTime() - keptPartMilliseconds))
  const some = transaction
    .select({id: conversations.id})
    .from(conversations)
    .where(and(isNotNull(conversations.importLeft), isOld))
    .limit(partsAtOnce)
  const {rowCount} = await transaction.delete(conversations).where(inArray(conversations.id, some))
  return rowCount === partsAtOnce
}
