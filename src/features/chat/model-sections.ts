import {modelGroupNames} from '#contract/models.ts'
import type {Text} from '#ui/text.tsx'
import type {OfferedModel} from './model-catalogue.ts'

type PickerSection = {
  id: string
  label: string | undefined
  models: OfferedModel[]
  /** Another group's than that of the list. */
  isOfOthers?: true
  /** Below another group's, without being of it. */
  isApart?: boolean
}

/** The group's own models, those of this machine, other providers, the sandbox. */
function sectionsOfGroup(models: readonly OfferedModel[], label: string | undefined, text: Text): PickerSection[] {
  const providers = [
    ...new Set(models.flatMap((model) => (model.section === 'provider' ? [model.provider ?? ''] : []))),
  ]
  return [
    {id: 'group', label, models: models.filter(({section}) => section === 'group')},
    {id: 'local', label: text('chat.localModels'), models: models.filter(({section}) => section === 'local')},
    ...providers.map((provider) => ({
      id: `provider-${provider}`,
      label: provider,
      models: models.filter((model) => model.section === 'provider' && (model.provider ?? '') === provider),
    })),
    {id: 'sandbox', label: text('chat.sandboxModels'), models: models.filter(({section}) => section === 'sandbox')},
  ]
}

/** The models of other groups, by group. */
const sectionsOfOthers = (models: readonly OfferedModel[]): PickerSection[] =>
  [...new Set(models.map(({group}) => group))].map((group) => ({
    id: `other-${group}`,
    label: modelGroupNames[group],
    models: models.filter((model) => model.group === group),
    isOfOthers: true,
  }))

/** Favourites, then one group's models by origin or several by group, then other groups'; unserved ones last. */
export function sectionsOf(
  models: readonly OfferedModel[],
  favourites: readonly string[],
  text: Text,
  isByGroup: boolean,
  others: readonly OfferedModel[] = [],
): PickerSection[] {
  const usableModels = models.filter(({disabled}) => disabled === undefined)
  const usable = usableModels.filter(({name}) => !favourites.includes(name))
  const groups = [...new Set(usable.map(({group}) => group))]
  const own = models[0]?.group
  const sections: PickerSection[] = [
    {
      id: 'favourites',
      label: text('chat.modelFavourites'),
      models: favourites.flatMap((favourite) => usableModels.find(({name}) => name === favourite) ?? []),
    },
    ...(isByGroup
      ? groups.map((group) => ({
          id: group,
          label: modelGroupNames[group],
          models: usable.filter((model) => model.group === group),
        }))
      : sectionsOfGroup(usable, favourites.length === 0 ? undefined : text('chat.modelOthers'), text)),
    ...sectionsOfOthers(others),
    {
      id: 'unavailable',
      label:
        own === undefined || others.length === 0
          ? text('chat.unavailableModels')
          : text('chat.modelUnavailableOf', {group: modelGroupNames[own]}),
      models: models.filter(({disabled}) => disabled !== undefined),
      isApart: others.length > 0,
    },
  ]
  return sections.filter((section) => section.models.length > 0)
}
