import type {ServedModel} from '#contract/management.ts'
import {modelGroupNames} from '#contract/models.ts'
import {groupOfModel, labelOf, type OfferedModel} from './model-catalogue.ts'

type NamedModel = Pick<OfferedModel, 'name' | 'label' | 'group'>

/**
 * The label of a model among others: where another has the same, its group comes before it, or its name where the group
 * is the same as well. A narrow column cuts the end off.
 */
export function labelAmong({name, label, group}: NamedModel, models: readonly NamedModel[]): string {
  const twins = models.filter((other) => other.label === label && other.name !== name)
  if (twins.length === 0) return label
  const isGroupShared = twins.some((twin) => twin.group === group)
  return `${isGroupShared ? name : modelGroupNames[group]} · ${label}`
}

const named = (model: ServedModel): NamedModel => ({...model, label: model.label ?? labelOf(model.name)})

/** Label of the model that wrote a message; no other served model has it. */
export function modelLabel(name: string, servedModels: readonly ServedModel[]): string {
  const label = servedModels.find((model) => model.name === name)?.label ?? labelOf(name)
  return labelAmong({name, label, group: groupOfModel(name, servedModels)}, servedModels.map(named))
}
