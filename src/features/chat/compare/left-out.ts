import {formatSizeLimit} from '#domain/file-size.ts'
import type {Text} from '#ui/text.tsx'
import type {ModelRefusal} from '../model-refusal.ts'
import type {ComparedModel} from './compared-models.ts'

/** A model that a question does not go to, for its files; `name`: its column, or the model before it has one. */
export type LeftOut = {name: string; model: ComparedModel; refusal: ModelRefusal}

/** Why a model is left out, with the limit that the files are over. `model` tells it from those beside it. */
export function leftOutWords(text: Text, locale: string, refusal: ModelRefusal, model: string): string {
  if (!('most' in refusal)) return text('compare.leftOut', {model})
  const most = formatSizeLimit(refusal.most, locale)
  return text(refusal.reason === 'length' ? 'compare.leftOutLength' : 'compare.leftOutTogether', {model, most})
}
