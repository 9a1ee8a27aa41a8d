import {choicesOf, shownFields, type AnyChoice, type AnyField, type AnyForm, type AnyScreen} from './any-tool.ts'
import {choiceText, type ToolText} from './use-tool-text.ts'

const isBlank = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** A setting that is not at its default; absent and empty are the same. */
export const isChanged = ({key}: AnyField, form: AnyForm, defaults: AnyForm): boolean =>
  !(isBlank(form[key]) && isBlank(defaults[key])) && JSON.stringify(form[key]) !== JSON.stringify(defaults[key])

const chosenKinds = new Set(['select', 'segmented', 'ratio', 'tabs', 'tiles'])

/** A bare number, such as how many pictures there are to be, says nothing without its label. */
export const isNumber = ({value, label, text}: AnyChoice): boolean =>
  label === undefined && typeof value === 'number' && (text === undefined || text === String(value))

/** How much of a setting the one line of them may say. */
const mostParts = 3

/** The chosen settings in a few words, such as `16:9`, `5 s`, `Pro`: what the phone's settings button says. */
export function settingsLine(screen: AnyScreen, form: AnyForm, toolText: ToolText): string[] {
  const parts = (['main', 'foot'] as const).flatMap((group) =>
    shownFields(screen, form, group).flatMap((field) => {
      if (!chosenKinds.has(field.kind) || !('choices' in field)) return []
      const choice = choicesOf(field, form).find(({value}) => value === form[field.key])
      return choice === undefined || isNumber(choice) ? [] : [{kind: field.kind, text: choiceText(toolText, choice)}]
    }),
  )
  const rank = {ratio: 0, tiles: 1, segmented: 2, tabs: 3, select: 4}
  // as: only the kinds of the set above are here
  const order = (kind: string) => rank[kind as keyof typeof rank]
  return parts
    .sort((one, other) => order(one.kind) - order(other.kind))
    .slice(0, mostParts)
    .map(({text}) => text)
}

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
