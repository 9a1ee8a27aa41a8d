import {exportAnswer, mostExported, type ConversationTree} from '#contract/imports.ts'
import type {Services} from '../logic/services.ts'

/**
 * These conversations with everything the server knows of them, by id: instructions, times, errors and versions, which
 * the list leaves out. An answer holds as many as fit; where it holds none, the server has none of the rest.
 */
export async function readTrees(
  chat: Pick<Services['chat'], 'command'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, ConversationTree>> {
  const trees = new Map<string, ConversationTree>()
  let waiting = ids
  while (waiting.length > 0) {
    const batch = waiting.slice(0, mostExported)
    const {items} = await chat.command(exportAnswer, {action: 'export', ids: batch}, {isRead: true, signal})
    for (const item of items) trees.set(item.id, item)
    waiting = waiting.slice(batch.length)
    const lacking = batch.filter((id) => !trees.has(id))
    if (lacking.length < batch.length) waiting = [...lacking, ...waiting]
  }
  return trees
}
