import type {ReactNode} from 'react'
import type {AnswerAttempt} from '#contract/answer-details.ts'
import {attemptTimes} from '#domain/answer-facts.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {formatExact, microOf} from '#domain/exact-amount.ts'
import {formatSeconds} from '#domain/duration-text.ts'
import type {AnswerDetailsEvent, AnswerDetailsSnapshot} from '#machines/answer-details/answer-details.machine.ts'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {useLanguage} from '#ui/language.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'
import styles from './answer-facts.module.css'
import {serverReasonId} from './server-reason.ts'

/** Shorter waits (in seconds) are not worth a line. */
const noticeableWait = 1

type AnswerFactsProps = {snapshot: AnswerDetailsSnapshot; send: (event: AnswerDetailsEvent) => void}

/** Model, times, tokens, cost and trace of an answer, attempt by attempt. */
export function AnswerFacts({snapshot, send}: AnswerFactsProps) {
  const text = useText()
  const {details, failure} = snapshot.context
  const reason = failure && serverReasonId(failure)
  if (snapshot.matches('loading'))
    return (
      <div className={styles.facts} role="status">
        <span className="visually-hidden">{text('common.loading')}</span>
        <Skeleton blockSize={150} />
      </div>
    )
  // an imported answer, or a copy whose original is deleted or unknown: asking again helps nothing
  if (failure?.status === 404)
    return (
      <p className={styles.facts} role="status">
        {text('chat.detailsNone')}
      </p>
    )
  if (details === undefined)
    return (
      <div className={styles.facts} role="alert">
        <div>
          <p>{text('chat.detailsFailed')}</p>
          {reason !== undefined && <p className={styles.label}>{text(reason)}</p>}
        </div>
        <Button size="sm" className={styles.again} onClick={() => send({type: 'details.load'})}>
          {text('common.retry')}
        </Button>
      </div>
    )
  const {attempts} = details
  return (
    <div className={styles.facts}>
      {attempts.map((attempt) => (
        <section key={attempt.attempt} aria-label={text('chat.detailsAttempt', {number: attempt.attempt})}>
          {attempts.length > 1 && (
            <h3 className={styles.attempt}>{text('chat.detailsAttempt', {number: attempt.attempt})}</h3>
          )}
          <Attempt {...attempt} />
        </section>
      ))}
    </div>
  )
}

function Attempt(attempt: AnswerAttempt) {
  const text = useText()
  const {locale} = useLanguage()
  const {waited, took} = attemptTimes(attempt)
  const {prompt_tokens: prompt, completion_tokens: completion, cost, trace_id: trace} = attempt
  return (
    <dl className={styles.list}>
      <Fact label={text('chat.model')}>
        <bdi dir="ltr">{attempt.model}</bdi>
      </Fact>
      <Fact label={text('chat.detailsAsked')}>
        <TimeText value={attempt.created_at} format={formatDateTime} />
      </Fact>
      {waited !== undefined && waited >= noticeableWait && (
        <Fact label={text('chat.detailsWaited')}>
          <bdi>{formatSeconds(waited, locale, 1)}</bdi>
        </Fact>
      )}
      {took !== undefined && (
        <Fact label={text('chat.detailsTook')}>
          <bdi>{formatSeconds(took, locale, 1)}</bdi>
        </Fact>
      )}
      {prompt != null && completion != null && (
        <Fact label={text(attempt.tokens_estimated === true ? 'chat.detailsTokensEstimated' : 'chat.detailsTokens')}>
          {text('chat.detailsTokenCounts', {prompt, completion})}
        </Fact>
      )}
      {cost != null && (
        <Fact label={text('chat.detailsCost')}>
          <bdi dir="ltr">{formatExact(microOf(cost), locale)}</bdi>
        </Fact>
      )}
      {attempt.error != null && (
        <Fact label={text('chat.detailsError')}>
          <code dir="ltr">{attempt.error}</code>
        </Fact>
      )}
      {trace != null && (
        <Fact label={text('chat.detailsTrace')}>
          <code className={styles.trace} dir="ltr">
            {trace}
          </code>
          <CopyButton label={text('chat.detailsCopyTrace')} value={() => trace} />
        </Fact>
      )}
    </dl>
  )
}

function Fact({label, children}: {label: string; children: ReactNode}) {
  return (
    <div className={styles.fact}>
      <dt className={styles.label}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
