import type {Service} from '#contract/management.ts'
import {modelGroupNames, type ModelGroup} from '#contract/models.ts'
import {isImageUrl} from '#domain/image-extensions.ts'
import {priceOf, type KnownPrice} from '#domain/model-price.ts'
import {offeredModels, type OfferedModel} from '../model-catalogue.ts'

type Metadata = Service['metadata']
export type ComparedModel = OfferedModel & {cost: KnownPrice | undefined}

export const withCost = (model: OfferedModel, metadata: Metadata): ComparedModel => ({
  ...model,
  cost: priceOf(metadata, model.name),
})

/** The models of these groups with their prices, also those that cannot be chosen. */
export const modelsOf = (groups: readonly ModelGroup[], metadata: Metadata): ComparedModel[] =>
  groups.flatMap((group) => offeredModels(group, metadata?.models ?? [])).map((model) => withCost(model, metadata))

/**
 * The labels of models that stand side by side. Where two have the same, the group comes before it, or the name where the group
 * is the same as well: a narrow column cuts the end off.
 */
export const tellApart = (models: readonly Pick<OfferedModel, 'name' | 'label' | 'group'>[]): string[] =>
  models.map(({name, label, group}) => {
    const twins = models.filter((other) => other.label === label && other.name !== name)
    if (twins.length === 0) return label
    const isGroupShared = twins.some((twin) => twin.group === group)
    return `${isGroupShared ? name : modelGroupNames[group]} · ${label}`
  })

export const isUsable = ({disabled}: OfferedModel) => disabled === undefined

export type AttachedFile = {url: string; name: string}

/** All of these files can go to the model. */
export const takesAll = ({takesFiles, takesImages}: OfferedModel, files: readonly AttachedFile[]) =>
  takesFiles || files.every(({url, name}) => takesImages && (isImageUrl(name) || isImageUrl(url)))

/** Stands for several models in the message field: a file is taken if one of them takes it. */
export const anyOf = (models: readonly OfferedModel[], label: string): OfferedModel => ({
  name: '',
  label,
  group: 'chatgpt',
  takesFiles: models.some(({takesFiles}) => takesFiles),
  takesImages: models.some(({takesImages}) => takesImages),
  disabled: undefined,
  section: 'group',
  provider: undefined,
})
