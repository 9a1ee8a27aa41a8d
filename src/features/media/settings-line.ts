import {choicesOf, shownFields, type AnyForm, type AnyScreen} from './any-tool.ts'
import {isNumber} from './settings-values.ts'
import {choiceText, type ToolText} from './use-tool-text.ts'

const chosenKinds = new Set(['select', 'segmented', 'ratio', 'tabs', 'tiles'])

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
