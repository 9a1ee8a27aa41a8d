import {choicesOf, type AnyScreen} from './any-tool.ts'
import {isBlank} from './settings-values.ts'
import {choiceText, type ToolText} from './use-tool-text.ts'

/** What a task was made with, as label and value: every setting of the request that a field of the tool names. */
export function requestSettings(
  screen: AnyScreen,
  request: Record<string, unknown>,
  toolText: ToolText,
): {key: string; label: string; value: string}[] {
  return screen.fields.flatMap((field) => {
    const value = request[field.key]
    if (isBlank(value) || field.kind === 'prompt' || field.kind === 'files' || field.kind === 'taskRef') return []
    const label = toolText(field.label)
    if ('choices' in field) {
      const choice = choicesOf(field, request).find((each) => each.value === value)
      return [{key: field.key, label, value: choice === undefined ? plain(value) : choiceText(toolText, choice)}]
    }
    return [{key: field.key, label, value: plain(value)}]
  })
}

const plain = (value: unknown): string =>
  Array.isArray(value) ? value.map(plain).join(', ') : typeof value === 'string' ? value : JSON.stringify(value)
