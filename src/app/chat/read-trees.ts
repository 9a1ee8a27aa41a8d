import {exportAnswer, importCapability, mostExported, type ConversationTree} from '#contract/imports.ts'
import {selectService} from '#machines/provisioning/provisioning.selectors.ts'
import type {Root} from '../logic/root.ts'
import type {Services} from '../logic/services.ts'

/** The service of the server, once it said what it can do. */
export function chatService({actors}: Pick<Root, 'actors'>) {
  const provisioning = actors.provisioning()
  return provisioning === undefined ? undefined : selectService(provisioning.getSnapshot())
}

/** Whether the server hands out trees. */
export const givesTrees = (root: Pick<Root, 'actors'>): boolean =>
  chatService(root)?.metadata?.capabilities?.includes(importCapability) === true

/** `trees`: what was read before, which grows. `report`: hears how many conversations are done, before and after each. */
type Reading = {trees: Map<string, ConversationTree>; report: (read: number) => void; signal: AbortSignal}

/**
 * Reads these conversations with everything the server knows of them, by id: instructions, times, errors and versions, which
 * the list leaves out. An answer holds as many as fit; where it holds none, the server has none of the rest.
 */
export async function readTrees(
  chat: Pick<Services['chat'], 'command'>,
  ids: readonly string[],
  {trees, report, signal}: Reading,
): Promise<void> {
  let waiting = ids.filter((id) => !trees.has(id))
  report(ids.length - waiting.length)
  while (waiting.length > 0) {
    const batch = waiting.slice(0, mostExported)
    const {items} = await chat.command(exportAnswer, {action: 'export', ids: batch}, {isRead: true, signal})
    for (const item of items) trees.set(item.id, item)
    waiting = waiting.slice(batch.length)
    const lacking = batch.filter((id) => !trees.has(id))
    if (lacking.length < batch.length) waiting = [...lacking, ...waiting]
    report(ids.length - waiting.length)
  }
}
