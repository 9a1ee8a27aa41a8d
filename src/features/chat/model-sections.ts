import type {Text} from '#ui/text.tsx'
import type {OfferedModel} from './model-catalogue.ts'

type PickerSection = {id: string; label: string | undefined; models: OfferedModel[]}

/** Favourites first, then the group's own models, those of this machine, other providers, the sandbox; unserved ones last. */
export function sectionsOf(
  models: readonly OfferedModel[],
  favourites: readonly string[],
  text: Text,
): PickerSection[] {
  const offered = models.filter(({disabled}) => disabled === undefined)
  const usable = offered.filter(({name}) => !favourites.includes(name))
  const providers = [
    ...new Set(usable.flatMap((model) => (model.section === 'provider' ? [model.provider ?? ''] : []))),
  ]
  const sections: PickerSection[] = [
    {
      id: 'favourites',
      label: text('chat.modelFavourites'),
      models: favourites.flatMap((favourite) => offered.find(({name}) => name === favourite) ?? []),
    },
    {
      id: 'group',
      label: favourites.length === 0 ? undefined : text('chat.modelOthers'),
      models: usable.filter(({section}) => section === 'group'),
    },
    {id: 'local', label: text('chat.localModels'), models: usable.filter(({section}) => section === 'local')},
    ...providers.map((provider) => ({
      id: `provider-${provider}`,
      label: provider,
      models: usable.filter((model) => model.section === 'provider' && (model.provider ?? '') === provider),
    })),
    {id: 'sandbox', label: text('chat.sandboxModels'), models: usable.filter(({section}) => section === 'sandbox')},
    {
      id: 'unavailable',
      label: text('chat.unavailableModels'),
      models: models.filter(({disabled}) => disabled !== undefined),
    },
  ]
  return sections.filter((section) => section.models.length > 0)
}
