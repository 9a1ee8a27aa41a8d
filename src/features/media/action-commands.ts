import {selectService} from '#machines/provisioning/provisioning.selectors.ts'
import {selectCards, type Card} from '#machines/task-list/task-list.selectors.ts'
import type {Text} from '#ui/text.tsx'
import {creditsOf} from './credits.ts'
import type {ShortActions} from './feed/card-commands.ts'
import {isBusy} from './feed/filter-cards.ts'
import type {FormCommands} from './form-commands.ts'
import type {Media} from './media.context.ts'
import {actionGroups, resultAt, subjectOf, usedAmong, type OfferedAction} from './result-actions.ts'
import type {ToolText} from './use-tool-text.ts'
import {worksOn} from './requests-of-results.ts'

/** Creates the commands of a tool's actions on its results: which actions, at which price, and doing them. */
export function createActionCommands(
  media: Media,
  {text, toolText}: {text: Text; toolText: ToolText},
  {fill, send}: Pick<FormCommands, 'fill' | 'send'>,
) {
  const {generation, list, provisioning} = media.actors
  const form = () => generation.getSnapshot().context.form
  const costOf = ({submission}: OfferedAction) =>
    submission && creditsOf(media, selectService(provisioning.getSnapshot()), submission.body)
  const isUsed = (offer: OfferedAction) => usedAmong([offer], worksOn(selectCards(list.getSnapshot()))).has(offer)
  const groups = (card: Card, index: number) => {
    const result = resultAt(card, index)
    // a running task has no file on the server yet
    return result === undefined || isBusy(card) ? [] : actionGroups(media.screen, subjectOf(result), form())
  }
  const act = (card: Card, index: number, {action, submission}: OfferedAction) => {
    const result = resultAt(card, index)
    if (result === undefined) return
    if (submission !== undefined) send(card, submission)
    else if ('fill' in action) fill(action.fill(subjectOf(result), form()))
  }
  const shortActions = (card: Card, index: number) =>
    groups(card, index).flatMap(({label, actions}): ShortActions[] => {
      const short = actions.flatMap((offer) => {
        const cost = costOf(offer)
        const price = cost === undefined || cost === 0 ? [] : [text('common.creditAmount', {amount: cost})]
        const {short: letters, label: name} = offer.action
        return letters === undefined ? [] : [{short: letters, name: toolText(name), price, offered: offer}]
      })
      return short.length === 0 ? [] : [{label: toolText(label ?? 'common.mediaActions'), actions: short}]
    })
  return {costOf, isUsed, groups, act, shortActions}
}
