import type {Text} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {choicesOf} from './any-tool.ts'
import {workOf} from './card-title.ts'
import {isBusy} from './feed/filter-cards.ts'
import {madeText} from './file-values.ts'
import type {Media} from './media.context.ts'
import {formFromRequest, isChanged, isNumber} from './settings-values.ts'
import {choiceText, type ToolText} from './use-tool-text.ts'

/** Kinds of settings that say how a result was made, in their order: the model, then the rest, then the shape. */
const metaKinds = ['tiles', 'select', 'segmented', 'ratio'] as const

/** How a task was made, in a few words: what it did, the settings that are not at their default, then what it costs. */
export function metaOf(media: Media, card: Card, toolText: ToolText, text: Text): string[] {
  const settings = formFromRequest(media.tool, card)
  const parts = metaKinds.flatMap((kind) =>
    media.screen.fields.flatMap((field) => {
      if (field.kind !== kind || !('choices' in field) || !isChanged(field, settings, media.defaults)) return []
      const choice = choicesOf(field, settings).find(({value}) => value === settings[field.key])
      if (choice === undefined || isNumber(choice)) return []
      return [madeText(field, choice, card.reading.artifacts[0], toolText) ?? choiceText(toolText, choice)]
    }),
  )
  const work = workOf(media, card, toolText)
  if (work !== undefined) parts.unshift(work)
  return [...new Set(parts)].slice(0, 5).concat(costsOf(card, text))
}

/** The charge of a task, or the credits put aside for it while it runs. A failed one shows it beside its reason. */
function costsOf(card: Card, text: Text): string[] {
  const {held = 0, settled = 0} = card.credits ?? {}
  if (card.state === 'succeeded') return settled === 0 ? [] : [text('common.creditAmount', {amount: settled})]
  if (held === 0 || !isBusy(card)) return []
  return [text('common.mediaHeldOf', {credits: text('common.creditAmount', {amount: held})})]
}
