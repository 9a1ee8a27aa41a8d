import {usedValues} from '#domain/use-targets.ts'
import type {ToolRequest, MediaInput} from '#contract/media/media-tool.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {AnyForm} from './any-tool.ts'
import type {Media} from './media.context.ts'
import {sameAgain} from './repeated-request.ts'
import {formFromRequest} from './settings-values.ts'

export type FormCommands = ReturnType<typeof createFormCommands>

/** Creates the commands that fill the form, or ask for one more task. `onFormShown`: the form comes into view. */
export function createFormCommands(media: Media, onFormShown: () => void) {
  const {generation, requests} = media.actors
  const {identity} = media
  const fill = (values: AnyForm) => {
    generation.send({type: 'form.fill', values})
    onFormShown()
  }
  const fillFrom = (card: Card) => fill(media.formOf(card.request, card.type))
  const send = ({key: from}: Card, submission: ToolRequest, form?: AnyForm) => {
    const intent = {key: media.newKey(), tool: identity.id, submission, at: media.now()}
    requests.send({type: 'task.submit', from, intent: form === undefined ? intent : {...intent, form}})
  }
  const retry = (card: Card) => {
    const submission = sameAgain(media.tool, card)
    if (submission === undefined) fillFrom(card)
    else send(card, submission, formFromRequest(media.tool, card))
  }
  const usePrompt = (prompt: string) => {
    // the tool says what else has to be set for its prompt to count: another tab, say
    const inputs: readonly MediaInput[] = identity.inputs
    const input = inputs.find(({medium, field}) => medium === 'text' && field === 'prompt')
    const {form} = generation.getSnapshot().context
    fill(input === undefined ? {prompt} : usedValues(form, input, prompt))
  }
  return {fill, send, retry, edit: fillFrom, reuse: fillFrom, usePrompt}
}
