import {useSelector} from '@xstate/react'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {AlertIcon, ChevronEndIcon, RetryIcon} from '#ui/icons.tsx'
import {EditIcon} from '#ui/later-icons.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {needQuery} from '#domain/credits.ts'
import {formatExact, microOf} from '#domain/exact-amount.ts'
import {errorTextId, failureText, type Failure} from '#domain/failure.ts'
import {useChat} from './chat.context.tsx'
import styles from './message.module.css'
import {AppLink} from './app-links.tsx'
import type {GoneMessage} from './gone-message.ts'

export type AnswerProblem = {outcome: 'interrupted' | 'refused'; failure: Failure | undefined}

type ErrorCardProps = {
  problem: AnswerProblem
  /** The answer was refused: this is deleted. */
  gone: GoneMessage | undefined
  addCreditsHref: string
  onContinue: (() => void) | undefined
  onRetry: (() => void) | undefined
  onEdit: (() => void) | undefined
}

/** A failure that needs set-up first: the user has to apply for the tool. */
function useSetUp(failure: Failure | undefined): (() => void) | undefined {
  const {actors, startSetUp} = useChat()
  const isNeeded = useSelector(actors?.provisioning, (snapshot) => snapshot?.hasTag('needsApplication') === true)
  return isNeeded && failure?.code === 'not_applied' ? startSetUp : undefined
}

/** Without an answer only the network is to blame. In a chat, `duplication`: it was already being answered. */
const sentenceOf = (failure: Failure) =>
  failure.lost === true
    ? ('index.startFailedHelp' as const)
    : failure.code === 'duplication'
      ? ('chat.occupied' as const)
      : errorTextId(failure)

/** Sentences that say so; Retry sends it as a new one. */
const goneTexts = {original: 'chat.originalDeleted', question: 'chat.questionDeleted'} as const

/**
 * Why an answer failed: a sentence, the server's code and detail (spec §8) if it gave them, and the actions. The
 * partial text stays above it.
 */
export function ErrorCard({problem, gone, addCreditsHref, onContinue, onRetry, onEdit}: ErrorCardProps) {
  const text = useText()
  const {locale} = useLanguage()
  const {outcome, failure} = problem
  const setUp = useSetUp(failure)
  // all stand in one row of a phone, in long words too
  const isNarrow = useMediaQuery(phone)
  const sentence =
    failure === undefined || outcome === 'interrupted'
      ? text('chat.interrupted')
      : text(onRetry && gone ? goneTexts[gone] : sentenceOf(failure))
  const detail =
    failure === undefined || failure.lost === true
      ? undefined
      : failure.detail === ''
        ? failure.code
        : failureText(failure)
  const isShort = failure?.code === 'used_up'
  const retry = setUp === undefined ? onRetry : undefined
  /** A button with a border comes first; one without stands by its icon. */
  const hasFrame = isShort || setUp !== undefined || retry !== undefined
  const isCopyAlone = !hasFrame && onContinue === undefined && onEdit === undefined
  return (
    <div role="alert" className={styles.error}>
      <span className={styles.errorIcon}>
        <AlertIcon />
      </span>
      <div className={styles.errorBody}>
        <p className={styles.errorText}>{sentence}</p>
        {failure?.needed !== undefined && failure.available !== undefined && (
          <p>
            {text('chat.creditsShort', {
              needed: formatExact(microOf(failure.needed), locale, 0),
              available: formatExact(microOf(failure.available), locale, 0),
            })}
          </p>
        )}
        {detail !== undefined && (
          <p className={styles.errorDetail} dir="ltr">
            {detail}
          </p>
        )}
        <div className={styles.errorActions} data-bare={!hasFrame || undefined}>
          {isShort && (
            <AppLink className={buttonClass('primary', 'sm')} href={addCreditsHref + needQuery(failure)}>
              {text('chat.addCredits')}
            </AppLink>
          )}
          {setUp !== undefined && (
            <Button size="sm" variant="primary" onClick={setUp}>
              {text('application.pillStart')}
            </Button>
          )}
          {retry !== undefined && (
            <Button size="sm" icon={<RetryIcon size={14} />} onClick={retry}>
              {text('common.retry')}
            </Button>
          )}
          {onContinue !== undefined && (
            <Button size="sm" variant="ghost" icon={<ChevronEndIcon size={14} />} onClick={onContinue}>
              {text('chat.continue')}
            </Button>
          )}
          {onEdit !== undefined && (
            <Button size="sm" variant="ghost" icon={<EditIcon size={14} />} onClick={onEdit}>
              {text('chat.edit')}
            </Button>
          )}
          {detail !== undefined && (
            <CopyButton labelled={isCopyAlone || !isNarrow} label={text('common.copyDetails')} value={() => detail} />
          )}
        </div>
      </div>
    </div>
  )
}
