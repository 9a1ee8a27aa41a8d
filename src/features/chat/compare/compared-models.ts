import type {Service} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import {isImageUrl} from '#domain/image-extensions.ts'
import {priceOf, type KnownPrice} from '#domain/model-price.ts'
import {offeredModels, type OfferedModel} from '../model-catalogue.ts'

type Metadata = Service['metadata']
export type ComparedModel = OfferedModel & {cost: KnownPrice | undefined}
export type ModelSection = {group: ModelGroup; models: ComparedModel[]}

export const withCost = (model: OfferedModel, metadata: Metadata): ComparedModel => ({
  ...model,
  cost: priceOf(metadata, model.name),
})

/** The usable models of these groups with their prices; groups without one are left out. */
export const sectionsOf = (groups: readonly ModelGroup[], metadata: Metadata): ModelSection[] =>
  groups
    .map((group) => ({
      group,
      models: offeredModels(group, metadata?.models ?? [])
        .filter(({disabled}) => disabled === undefined)
        .map((model) => withCost(model, metadata)),
    }))
    .filter(({models}) => models.length > 0)

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
