import {Link} from '@tanstack/react-router'
import {useIntl} from 'react-intl'
import {type Application} from '#contract/management.ts'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {classNames} from '#ui/class-names.ts'
import {WalletIcon} from '#ui/icons.tsx'
import {Popover} from '#ui/popover.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {formatDateTime} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'
import styles from './credit-pill.module.css'

/** What the pill can say (screens.md §0). `preparing`: the credential of a newly chosen application is on its way. */
export type Balance =
  | {status: 'loading' | 'none' | 'failed'}
  | {status: 'ready' | 'preparing'; application: Application}

type CreditPillProps = {
  balance: Balance
  applications: readonly Application[]
  onChoose: (id: string) => void
  onRetry: () => void
  /** Opens the dialog that makes the general application. */
  onStart: () => void
}

/** The balance of the paying application; opens the list in which it is chosen. */
export function CreditPill({balance, applications, onChoose, onRetry, onStart}: CreditPillProps) {
  const text = useText()
  const amount = useAmount()
  if (balance.status === 'none') {
    return (
      <Button size="sm" onClick={onStart}>
        {text('application.pillStart')}
      </Button>
    )
  }
  const selected = 'application' in balance ? balance.application : undefined
  return (
    <Popover
      label={text('application.choose')}
      align="end"
      trigger={(trigger) => (
        <button
          type="button"
          className={classNames(styles.pill, isUsedUp(selected) && styles.low)}
          aria-busy={balance.status === 'loading' || balance.status === 'preparing'}
          {...trigger}
        >
          {balance.status === 'preparing' ? <Spinner size={14} label={text('application.pillPreparing')} /> : <WalletIcon />}
          <span className="visually-hidden">{text('application.pillLabel')}</span>
          {balance.status === 'failed' && text('application.pillUnavailable')}
          {balance.status === 'loading' && <b>–</b>}
          {selected !== undefined && <PillAmount shown={amount(selected.remaining_amount, 2)} />}
        </button>
      )}
    >
      {(close) => (
        <div className={styles.list}>
          <p className={styles.heading}>{text('application.choose')}</p>
          {balance.status === 'failed' && (
            <div className={styles.failed} role="alert">
              <p>{text('application.loadFailed')}</p>
              <Button size="sm" onClick={onRetry}>
                {text('common.retry')}
              </Button>
            </div>
          )}
          <div role="radiogroup" aria-label={text('application.choose')}>
            {applications.map((application) => (
              <ApplicationRow
                key={application.id}
                application={application}
                chosen={application.id === selected?.id}
                onChoose={() => {
                  onChoose(application.id)
                  close()
                }}
              />
            ))}
          </div>
          {selected !== undefined && (
            <div className={styles.actions}>
              <Link
                to="/console/usages"
                search={{application_id: selected.id}}
                className={buttonClass('ghost', 'sm')}
                onClick={close}
              >
                {text('application.seeUsage')}
              </Link>
              <Link
                to="/console/applications/$applicationId/extra"
                params={{applicationId: selected.id}}
                className={buttonClass('outline', 'sm')}
                onClick={close}
              >
                {text('application.addCredits')}
              </Link>
            </div>
          )}
        </div>
      )}
    </Popover>
  )
}

/** `1,284.50 credits` with the number set apart; translations may put it anywhere. */
function PillAmount({shown}: {shown: string}) {
  const intl = useIntl()
  return (
    <span>
      {intl.formatMessage(
        {id: 'application.credits'},
        {
          amount: (
            <b key="amount">
              <bdi dir="ltr">{shown}</bdi>
            </b>
          ),
        },
      )}
    </span>
  )
}

type ApplicationRowProps = {application: Application; chosen: boolean; onChoose: () => void}

function ApplicationRow({application, chosen, onChoose}: ApplicationRowProps) {
  const text = useText()
  const amount = useAmount()
  const isGeneral = application.scope === 'Global' || application.service_id == null
  const isPeriod = application.type === 'Period'
  const name = isGeneral ? text('application.general') : (application.service?.title ?? application.id)
  const end = application.expired_at
  const unit = application.service?.unit ?? text('application.unitCredits')
  return (
    <button type="button" role="radio" aria-checked={chosen} className={styles.row} onClick={onChoose}>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.rowText}>
        <span className={styles.name}>
          <bdi>{name}</bdi>
        </span>
        <span className={styles.meta}>
          {text(isPeriod ? 'application.period' : 'application.usage')} ·{' '}
          {end != null && isPeriod
            ? text('application.expires', {date: formatDateTime(new Date(end))})
            : text('application.never')}
        </span>
      </span>
      <span className={styles.amount}>
        {text('application.remaining', {amount: amount(application.remaining_amount, 6), unit})}
      </span>
    </button>
  )
}

const isUsedUp = (application: Application | undefined) => (application?.remaining_amount ?? 1) <= 0

/** Numbers with Latin digits in every language (design.md §9). */
function useAmount() {
  const {locale} = useIntl()
  return (value: number | null | undefined, longest: 2 | 6) =>
    value == null
      ? '–'
      : new Intl.NumberFormat(`${locale}-u-nu-latn`, {minimumFractionDigits: 2, maximumFractionDigits: longest}).format(
          value,
        )
}
