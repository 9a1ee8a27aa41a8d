import type {Text} from '#ui/text.tsx'
import {choicesOf} from './any-tool.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {Media} from './media.context.ts'
import {formFromRequest} from './settings-values.ts'
import type {ToolText} from './use-tool-text.ts'

/** The work of a task on a result or file: the tool's word for it, else the action's; undefined of a new one. */
export function workOf({screen: {actions, works}}: Pick<Media, 'screen'>, {request}: Card, toolText: ToolText) {
  const own = works?.find(({when}) => when(request))
  if (own !== undefined) return toolText(own.label, own.values?.(request))
  // the plain work of a tool is no action on a result, though some have one of that name
  const action = actions.find(({id}) => id === request.action && id !== 'generate')
  return action && toolText(action.label)
}

/** The words of a task; of one without any what it did, or what was chosen first, such as a template or a task. */
export function titleOf(media: Pick<Media, 'screen' | 'tool'>, card: Card, toolText: ToolText, text: Text): string {
  const work = card.prompt || workOf(media, card, toolText)
  if (work !== undefined) return work
  const settings = formFromRequest(media.tool, card)
  // the first choice of songs is how one asks for them
  const field = media.screen.results === 'songs' ? undefined : media.screen.fields.find((each) => 'choices' in each)
  const choice =
    field && 'choices' in field && choicesOf(field, settings).find(({value}) => value === settings[field.key])
  return choice && choice.label ? toolText(choice.label) : text('common.mediaUntitled')
}
