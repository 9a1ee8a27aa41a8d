import {useState} from 'react'
import {Drawer} from '#ui/drawer.tsx'
import {CheckIcon, ChevronDownIcon, FileIcon, ImageIcon} from '#ui/icons.tsx'
import {Menu, type MenuEntry, type MenuItem} from '#ui/menu.tsx'
import {useText, type Text} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import type {OfferedModel} from './model-catalogue.ts'
import styles from './model-picker.module.css'

type ModelPickerProps = {
  models: readonly OfferedModel[]
  chosen: OfferedModel | undefined
  onChoose: (name: string) => void
}

const reason = (model: OfferedModel, text: Text) =>
  model.disabled === undefined
    ? model.descriptionId && text(model.descriptionId)
    : text(model.disabled === 'not_served' ? 'chat.notServed' : 'chat.notConfigured')

function Capabilities({model}: {model: OfferedModel}) {
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

/** The group's own models first, then what stands on this machine, other providers, the sandbox; last what nobody serves. */
function sectionsOf(models: readonly OfferedModel[], text: Text): PickerSection[] {
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

/** The chosen model, and the way to another one: a menu beside the button, a sheet on phones. */
export function ModelPicker({models, chosen, onChoose}: ModelPickerProps) {
  const text = useText()
  const isPhone = useMediaQuery(phone)
  const [sheet, setSheet] = useState(false)
  const sections = sectionsOf(models, text)
  const label = chosen?.label ?? text('chat.model')
  const name = text('chat.chooseModel', {model: label})
  const content = (
    <>
      <bdi>{label}</bdi>
      <ChevronDownIcon size={14} />
    </>
  )
  const choose = (model: OfferedModel) => {
    if (model.name !== chosen?.name) onChoose(model.name)
    setSheet(false)
  }

  if (isPhone) {
    return (
      <>
        <button
          type="button"
          className={styles.model}
          aria-label={name}
          aria-haspopup="dialog"
          aria-expanded={sheet}
          onClick={() => setSheet(true)}
        >
          {content}
        </button>
        <Drawer side="bottom" open={sheet} onClose={() => setSheet(false)} title={text('chat.model')}>
          <ModelList sections={sections} chosen={chosen} onChoose={choose} />
        </Drawer>
      </>
    )
  }
  const toItem = (model: OfferedModel): MenuItem => ({
    id: model.name,
    label: model.label,
    description: reason(model, text),
    checked: model.name === chosen?.name,
    disabled: model.disabled !== undefined,
    end: <Capabilities model={model} />,
    onSelect: () => choose(model),
  })
  const entries = sections.flatMap(({id, label: heading, models: members}): MenuEntry[] =>
    heading === undefined ? members.map(toItem) : [{kind: 'group', id, label: heading, items: members.map(toItem)}],
  )
  return (
    <Menu
      label={text('chat.model')}
      entries={entries}
      trigger={(props) => (
        <button {...props} type="button" className={styles.model} aria-label={name}>
          {content}
        </button>
      )}
    />
  )
}

type ModelListProps = {
  sections: readonly PickerSection[]
  chosen: OfferedModel | undefined
  onChoose: (model: OfferedModel) => void
}

function ModelList({sections, chosen, onChoose}: ModelListProps) {
  const text = useText()
  return sections.map((section) => (
    <div key={section.id} role="group" aria-label={section.label ?? text('chat.model')}>
      {section.label !== undefined && <p className={styles.heading}>{section.label}</p>}
      {section.models.map((model) => (
        <button
          key={model.name}
          type="button"
          className={styles.option}
          aria-pressed={model.name === chosen?.name}
          disabled={model.disabled !== undefined}
          onClick={() => onChoose(model)}
        >
          <span className={styles.optionText}>
            <bdi className={styles.optionLabel}>{model.label}</bdi>
            <span className={styles.optionNote}>{reason(model, text)}</span>
          </span>
          <span className={styles.optionEnd}>
            <Capabilities model={model} />
            {model.name === chosen?.name && <CheckIcon size={14} />}
          </span>
        </button>
      ))}
    </div>
  ))
}
