import {errorTextId, type Failure} from '#domain/failure.ts'
import {Button} from '#ui/button.tsx'
import {Kbd, shownKeys} from '#ui/kbd.tsx'
import {useLanguage} from '#ui/language.tsx'
import {MoneyText} from '#ui/money-text.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import {AddCreditsLink, type AddCredits} from './add-credits-link.tsx'
import styles from './settings-form.module.css'

/**
 * The phase of the form's request. `setUp`: the tool has no application yet, which is the next step and no error;
 * `unavailable`: no provider makes what the tool offers.
 */
export type SubmitPhase =
  | 'ready'
  | 'uploading'
  | 'preparing'
  | 'sending'
  | 'setUp'
  | 'rejected'
  | 'usedUp'
  | 'unavailable'

export type GenerateProps = {
  /** The word on the button: generate, create, extend. */
  label: string
  phase: SubmitPhase
  /** Credits of one run; undefined while nobody knows. */
  cost: number | undefined
  /** Credits of the application that pays; null when it has no bound. */
  balance: number | null | undefined
  failure: Failure | undefined
  addCredits: AddCredits
  onGenerate: () => void
  onCancel: () => void
  onStart: () => void
  /** Credits were bought meanwhile: the refused request goes on. */
  onContinue: () => void
}

/** The price and what is left after it, in sight of the button that spends it (design.md §1). */
export function GenerateFoot(props: GenerateProps) {
  return (
    <>
      <Problem {...props} />
      <Cost cost={props.cost} balance={props.balance} />
      <GenerateButton {...props} />
    </>
  )
}

/** The cost of one run, and the credits that are left after it or missing for it. */
export function Cost({cost, balance}: Pick<GenerateProps, 'cost' | 'balance'>) {
  const text = useText()
  if (cost === undefined) return null
  const remaining = balance == null ? undefined : balance - cost
  return (
    <p className={styles.cost}>
      <span>{cost === 0 ? text('common.mediaFree') : <Amount id="common.mediaCost" amount={cost} isStrong />}</span>
      {remaining !== undefined && cost > 0 && (
        <span className={remaining < 0 ? styles.short : undefined}>
          {remaining < 0 ? (
            <Amount id="common.mediaMissing" amount={-remaining} />
          ) : (
            <Amount id="common.mediaLeftAfter" amount={remaining} />
          )}
        </span>
      )}
    </p>
  )
}

/** A sentence with an amount in it; translations may put the amount anywhere. */
function Amount({id, amount, isStrong = false}: {id: MessageId; amount: number; isStrong?: boolean}) {
  const language = useLanguage()
  const amountText = <MoneyText key="amount" amount={amount} />
  return language.format(id, {amount: isStrong ? <b key="amount">{amountText}</b> : amountText})
}

/** The one button of the form: it sends, waits, or leads to what is missing. */
export function GenerateButton({label, phase, addCredits, onStart, onGenerate}: GenerateProps) {
  const text = useText()
  if (phase === 'usedUp') {
    return <AddCreditsLink className={styles.generate} size="lg" {...addCredits} />
  }
  if (phase === 'setUp') {
    return (
      <Button variant="primary" size="lg" className={styles.generate} onClick={onStart}>
        {text('application.pillStart')}
      </Button>
    )
  }
  if (phase === 'unavailable') {
    return (
      <Button variant="primary" size="lg" className={styles.generate} disabled>
        {label}
      </Button>
    )
  }
  const isWaiting = phase === 'uploading' || phase === 'preparing' || phase === 'sending'
  return (
    <Button
      variant="primary"
      size="lg"
      className={styles.generate}
      loading={isWaiting}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      onClick={onGenerate}
    >
      {label}
      {!isWaiting && <Kbd plain keys={shownKeys('Ctrl ↵')} />}
    </Button>
  )
}

/** Why the request waits or was refused, with the ways on. */
export function Problem({phase, failure, onCancel, onContinue, onGenerate}: GenerateProps) {
  const text = useText()
  if (phase === 'uploading' || phase === 'preparing') {
    return (
      <p className={styles.status} role="status">
        {text(phase === 'uploading' ? 'common.mediaWaitsForUploads' : 'common.mediaWaitsForSetUp')}
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {text('common.cancel')}
        </Button>
      </p>
    )
  }
  if (phase === 'unavailable') return <p className={styles.status}>{text('common.mediaUnavailable')}</p>
  if (phase !== 'rejected' && phase !== 'usedUp') return null
  const sentence = phase === 'usedUp' || failure === undefined ? text('common.mediaUsedUp') : text(errorTextId(failure))
  return (
    <div className={styles.problem} role="alert">
      {sentence}
      {failure !== undefined && failure.lost !== true && phase === 'rejected' && (
        <bdi className={styles.detail}>
          {failure.code} - {failure.detail}
        </bdi>
      )}
      <div>
        {phase === 'usedUp' ? (
          <Button size="sm" onClick={onContinue}>
            {text('common.mediaTryAgain')}
          </Button>
        ) : (
          <Button size="sm" onClick={onGenerate}>
            {text('common.mediaTryAgain')}
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {text('common.dismiss')}
        </Button>
      </div>
    </div>
  )
}
