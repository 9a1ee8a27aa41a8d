import {formatExact, microOf} from '#domain/exact-amount.ts'
import {errorTextId, type Failure} from '#domain/failure.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText, type MessageId, type Text} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'

/** Refusals of ours whose sentence says all there is to say, in the user's language. */
const isFullSentence = ({code}: Failure) => code === 'used_up' || code === 'no_code'

/**
 * A sentence for people: the server's own when it has one, else that of the kind of error (spec §8). Without an answer
 * it is one about the network: the detail is a browser's, in no language of ours.
 */
export function reasonOf(failure: Failure | undefined): {textId: MessageId} | {said: string} | undefined {
  if (failure === undefined) return undefined
  if (failure.lost === true) return {textId: 'index.startFailedHelp'}
  return failure.detail !== '' && !isFullSentence(failure) ? {said: failure.detail} : {textId: errorTextId(failure)}
}

/** A refusal is made before anything is charged. */
const isRefusal = ({state, failure}: Card) =>
  state === 'rejected' && failure?.status !== undefined && failure.status >= 400 && failure.status < 500

/** Says whether the credits of a failed request came back, where that is known. */
export function refundText(text: Text, card: Card): string | undefined {
  const {credits} = card
  if (credits === undefined ? !isRefusal(card) : (credits.settled ?? 0) > 0) return undefined
  const back = credits?.held ?? 0
  return back > 0
    ? text('common.mediaRefundedOf', {credits: text('common.creditAmount', {amount: back})})
    : text('common.mediaNotCharged')
}

/** How many credits a request was short of that was refused for want of them, where the server said so. */
export function useMissingText({state, failure}: Card): string | undefined {
  const text = useText()
  const {locale} = useLanguage()
  if (state !== 'usedUp' || failure?.needed === undefined || failure.available === undefined) return undefined
  const missing = microOf(failure.needed) - microOf(failure.available)
  return missing > 0n ? text('common.mediaMissing', {amount: formatExact(missing, locale, 0)}) : undefined
}
