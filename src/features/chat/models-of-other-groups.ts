import type {ServedModel} from '#contract/management.ts'
import {modelGroups, type ModelGroup} from '#contract/models.ts'
import {offeredModels, type OfferedModel} from './model-catalogue.ts'

/** Returns the models of other groups. Each group has the sandbox: it counts only if there is nothing else. */
export function modelsOfOthers(
  group: ModelGroup,
  servedModels: readonly ServedModel[],
  groups: readonly ModelGroup[] = modelGroups,
): OfferedModel[] {
  const usable = groups
    .flatMap((each) => offeredModels(each, servedModels))
    .filter(({disabled}) => disabled === undefined)
  const real = usable.filter(({section}) => section !== 'sandbox')
  return (real.length > 0 ? real : usable).filter((model) => model.group !== group)
}
