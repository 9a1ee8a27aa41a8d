import type {ServedModel} from '#contract/management.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import {modelLabel} from '../model-label.ts'

/** The list asks for all titles whenever one conversation changes. */
const titles = new WeakMap<ConversationRecord, string>()
function titleOf(record: ConversationRecord): string {
  const title = titles.get(record) ?? conversationTitle(record)
  titles.set(record, title)
  return title
}

/** The models of conversations of one title and different models, as a comparison leaves them, by key. */
export function modelNotes(
  records: readonly ConversationRecord[],
  servedModels: readonly ServedModel[],
): ReadonlyMap<string, string> {
  const models = new Map<string, string>()
  const ambiguousNames = new Set<string>()
  for (const record of records) {
    const title = titleOf(record)
    const first = models.get(title) ?? record.model
    models.set(title, first)
    if (first !== record.model && title !== '') ambiguousNames.add(title)
  }
  return new Map(
    records
      .filter((record) => ambiguousNames.has(titleOf(record)))
      .map(({key, model}) => [key, modelLabel(model, servedModels)] as const),
  )
}
