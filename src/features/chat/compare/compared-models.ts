import type {Service} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import {priceOf, type KnownPrice} from '#domain/model-price.ts'
import type {Text} from '#ui/text.tsx'
import {offeredModels, shownLabel, type OfferedModel} from '../model-catalogue.ts'
import {labelAmong} from '../model-label.ts'

type Metadata = Service['metadata']
export type ComparedModel = OfferedModel & {cost: KnownPrice | undefined}

export const withCost = (model: OfferedModel, metadata: Metadata): ComparedModel => ({
  ...model,
  cost: priceOf(metadata, model.name),
})

/** The models of these groups with their prices, also those that cannot be chosen. */
export const modelsOf = (groups: readonly ModelGroup[], metadata: Metadata): ComparedModel[] =>
  groups.flatMap((group) => offeredModels(group, metadata?.models ?? [])).map((model) => withCost(model, metadata))

/** The label of a model, other than those of the models beside it. */
export const labelBeside = (model: OfferedModel, models: readonly OfferedModel[], text: Text): string => {
  const named = (each: OfferedModel) => ({...each, label: shownLabel(each, text)})
  return labelAmong(named(model), models.map(named))
}

export const isUsable = ({disabled}: OfferedModel) => disabled === undefined

/** The largest of some limits; there is none where one of the models has none, or no model is asked. */
const largestOf = (limits: readonly (number | undefined)[]) => {
  const knownLimits = limits.filter((limit) => limit !== undefined)
  return knownLimits.length === 0 || knownLimits.length < limits.length ? undefined : Math.max(...knownLimits)
}

/** Stands for several models in the message field: a file is taken if one of them takes it. */
export const anyOf = (models: readonly OfferedModel[], label: string): OfferedModel => ({
  name: '',
  label,
  group: 'chatgpt',
  takesFiles: models.some(({takesFiles}) => takesFiles),
  takesImages: models.some(({takesImages}) => takesImages),
  longestText: largestOf(models.filter(({takesFiles}) => takesFiles).map(({longestText}) => longestText)),
  mostFileBytes: largestOf(
    models.filter(({takesFiles, takesImages}) => takesFiles || takesImages).map(({mostFileBytes}) => mostFileBytes),
  ),
  disabled: undefined,
  section: 'group',
  provider: undefined,
})
