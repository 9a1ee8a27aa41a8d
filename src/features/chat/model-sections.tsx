import type {RefObject} from 'react'
import {ImageIcon} from '#ui/icons.tsx'
import {FileIcon} from '#ui/later-icons.tsx'
import {useText, type Text} from '#ui/text.tsx'
import type {OfferedModel} from './model-catalogue.ts'

/** Props of every view that offers models. */
export type ModelChoiceProps = {
  models: readonly OfferedModel[]
  chosen: OfferedModel | undefined
  onChoose: (model: OfferedModel) => void
  open: boolean
  onClose: () => void
  anchor: RefObject<HTMLButtonElement | null>
  /** Chooses for an answer that is there: several cannot be asked. */
  isForAnswer?: boolean
}

export function Capabilities({model}: {model: OfferedModel}) {
  const text = useText()
  return (
    <>
      {model.takesFiles && (
        <span role="img" aria-label={text('chat.takesFiles')}>
          <FileIcon size={14} />
        </span>
      )}
      {model.takesImages && (
        <span role="img" aria-label={text('chat.takesImages')}>
          <ImageIcon size={14} />
        </span>
      )}
    </>
  )
}

type PickerSection = {id: string; label: string | undefined; models: OfferedModel[]}

/** The group's own models first, then those of this machine, other providers, the sandbox; unserved ones last. */
export function sectionsOf(models: readonly OfferedModel[], text: Text): PickerSection[] {
  const usable = models.filter(({disabled}) => disabled === undefined)
  const providers = [
    ...new Set(usable.flatMap((model) => (model.section === 'provider' ? [model.provider ?? ''] : []))),
  ]
  const sections: PickerSection[] = [
    {id: 'group', label: undefined, models: usable.filter(({section}) => section === 'group')},
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
