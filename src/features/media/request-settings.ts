import type {Artifact} from '#contract/media/media-tool.ts'
import {choicesOf, type AnyForm, type AnyScreen} from './any-tool.ts'
import {madeText} from './file-values.ts'
import {isBlank} from './settings-values.ts'
import {choiceText, type ToolText} from './use-tool-text.ts'

/**
 * Returns the settings of a task, as label and value: every setting of its request that has a field in the tool. The
 * facts of the result's file go first.
 */
export function requestSettings(
  screen: AnyScreen,
  values: AnyForm,
  toolText: ToolText,
  artifact?: Artifact,
): {key: string; label: string; value: string}[] {
  return screen.fields.flatMap((field) => {
    const value = values[field.key]
    if (field.kind === 'prompt' || field.kind === 'files' || field.kind === 'taskRef') return []
    // an empty value may have a name, such as that of the usual model
    const choice = 'choices' in field ? choicesOf(field, values).find((each) => each.value === value) : undefined
    if (choice === undefined && isBlank(value)) return []
    const valueText =
      choice !== undefined
        ? (madeText(field, choice, artifact, toolText) ?? choiceText(toolText, choice))
        : typeof value === 'boolean'
          ? toolText(value ? 'common.mediaOn' : 'common.mediaOff')
          : plain(value)
    return [{key: field.key, label: toolText(field.label), value: valueText}]
  })
}

const plain = (value: unknown): string =>
  Array.isArray(value) ? value.map(plain).join(', ') : typeof value === 'string' ? value : JSON.stringify(value)
