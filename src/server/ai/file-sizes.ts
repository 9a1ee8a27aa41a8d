import {and, eq, or, sql} from 'drizzle-orm'
import type {ContentItem, MessageContent} from '#contract/chat.ts'
import {messageFiles} from '#domain/conversation.ts'
import {parseFileAddress} from '../platform/addresses.ts'
import type {Transaction} from '../store/database.ts'
import {files} from '../store/schema/files.ts'

/**
 * Contents with the sizes of their files. They are stored with the message (docs/decisions/0174), so that no reader
 * asks for them. Only the user's own files have one: nothing is fetched from other servers, nor said of others' files.
 */
export async function withFileSizes(
  transaction: Transaction,
  userId: string,
  contents: readonly MessageContent[],
): Promise<MessageContent[]> {
  const addresses = contents.flatMap(messageFiles).map(({url}) => url)
  const idsByAddress = new Map(addresses.map((address) => [address, parseFileAddress(address)?.id]))
  const ids = [...new Set(idsByAddress.values())].filter((id) => id !== undefined)
  if (ids.length === 0) return [...contents]
  // one parameter: an import names more files than a statement may have parameters
  const idArray = sql`${sql.param(ids)}::text[]`
  const rows = await transaction
    .select({id: files.id, formerIds: files.formerIds, size: files.size})
    .from(files)
    .where(and(eq(files.userId, userId), or(sql`${files.id} = any(${idArray})`, sql`${files.formerIds} && ${idArray}`)))
  const sizesById = new Map(
    rows.flatMap(({id, formerIds, size}) => [id, ...formerIds].map((each) => [each, size] as const)),
  )
  return contents.map((content) =>
    typeof content === 'string' ? content : content.map((item) => withSize(item, idsByAddress, sizesById)),
  )
}

/** As `withFileSizes`, for one content. */
export const withOwnSizes = async (transaction: Transaction, userId: string, content: MessageContent) =>
  (await withFileSizes(transaction, userId, [content]))[0] ?? content

/** Without what a client says of a size. */
function withSize(
  item: ContentItem,
  idsByAddress: ReadonlyMap<string, string | undefined>,
  sizesById: ReadonlyMap<string, number>,
): ContentItem {
  if (item.type === 'text') return item
  const {size: _given, ...file} = item
  const [address] = messageFiles([item])
  const size = sizesById.get(idsByAddress.get(address?.url ?? '') ?? '')
  return size === undefined ? file : {...file, size}
}
