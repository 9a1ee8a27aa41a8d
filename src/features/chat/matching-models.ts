import {modelGroupNames, type ModelGroup} from '#contract/models.ts'
import {foldText} from '#domain/fold-text.ts'
import type {MessageId, Text} from '#ui/text.tsx'
import {shownLabel, type OfferedModel} from './model-catalogue.ts'
import {lineOf} from './model-lines.ts'

/** The English text of a message without values, once it is known; of the namespace `words` that of the page's language too. */
export type SearchWords = (id: MessageId | `words.${ModelGroup}`) => string | undefined

/**
 * Returns the words that find a model: names, group, also in the letters of the page's language, and description in this
 * language and in English.
 */
function wordsOf(model: OfferedModel, text: Text, searchWords: SearchWords): string {
  const line = lineOf(model)
  const ids: MessageId[] = [
    ...(line === undefined ? [] : [line]),
    ...(model.section === 'sandbox' ? (['chat.sandboxModels'] as const) : []),
    ...(model.section === 'local' ? (['chat.localModels'] as const) : []),
    ...(model.takesFiles ? (['chat.takesFiles'] as const) : []),
    ...(model.takesImages ? (['chat.takesImages'] as const) : []),
  ]
  const descriptions = ids.flatMap((id) => [text(id), searchWords(id) ?? ''])
  return foldText(
    [
      model.label,
      model.name,
      shownLabel(model, text),
      modelGroupNames[model.group],
      searchWords(`words.${model.group}`) ?? '',
      model.provider ?? '',
      ...descriptions,
    ].join('\n'),
  )
}

/** The models that have every word of the query somewhere, in their order. */
export function matchingModels(
  models: readonly OfferedModel[],
  query: string,
  text: Text,
  searchWords: SearchWords,
): readonly OfferedModel[] {
  const words = foldText(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return models
  return models.filter((model) => {
    const modelWords = wordsOf(model, text, searchWords)
    return words.every((word) => modelWords.includes(word))
  })
}
