import type {MenuEntry, MenuItem} from '#ui/menu-entry.ts'
import {MenuOverlay} from '#ui/overlays/menu-overlay.tsx'
import {useText} from '#ui/text.tsx'
import {useCompareEntry} from './compare/use-compare-entry.ts'
import {shownLabel, type OfferedModel} from './model-catalogue.ts'
import {noteOf} from './model-lines.ts'
import {Capabilities, sectionsOf, type ModelChoiceProps} from './model-sections.tsx'
import {useThreadWords} from './use-thread-words.ts'

/** The models in a menu beside the button. */
export function ModelMenu({models, chosen, onChoose, open, onClose, anchor, isForAnswer}: ModelChoiceProps) {
  useThreadWords()
  const text = useText()
  const several = useCompareEntry(models, isForAnswer)
  const toItem = (model: OfferedModel): MenuItem => ({
    id: model.name,
    label: shownLabel(model, text),
    description: noteOf(model, text),
    checked: model.name === chosen?.name,
    disabled: model.disabled !== undefined,
    end: <Capabilities model={model} />,
    onSelect: () => onChoose(model),
  })
  const entries = sectionsOf(models, text).flatMap(({id, label, models: members}): MenuEntry[] =>
    label === undefined ? members.map(toItem) : [{kind: 'group', id, label, items: members.map(toItem)}],
  )
  return (
    <MenuOverlay
      label={text('chat.model')}
      entries={several === undefined ? entries : [...entries, {kind: 'separator', id: 'rest'}, several]}
      align="start"
      open={open}
      onClose={onClose}
      anchor={anchor}
    />
  )
}
