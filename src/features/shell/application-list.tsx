import {Link, useLocation} from '@tanstack/react-router'
import {type Application} from '#contract/management.ts'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {isolated} from '#domain/isolated-text.ts'
import {ownUnit} from '#domain/credit-unit.ts'
import {useText} from '#ui/text.tsx'
import styles from './credit-pill.module.css'
import {toolOfPath} from './tools.ts'
import {useAmount} from './use-amount.ts'

type ApplicationListProps = {
  applications: readonly Application[]
  selected: Application | undefined
  /** The list could not be loaded. */
  failed: boolean
  onChoose: (id: string) => void
  onRetry: () => void
  onClose: () => void
}

/** Pages on which credits are spent: a user who adds some comes back to them. */
const isSpending = (path: string) => path === '/compare' || toolOfPath(path) !== undefined

/** The user's applications, one of which pays, and links to usage and credits. */
export function ApplicationList({applications, selected, failed, onChoose, onRetry, onClose}: ApplicationListProps) {
  const text = useText()
  const back = useLocation({
    select: ({pathname, searchStr}) => (isSpending(pathname) ? pathname + searchStr : undefined),
  })
  return (
    <div className={styles.list}>
      <p className={styles.heading}>{text('index.applications')}</p>
      {failed && (
        <div className={styles.failed} role="alert">
          <p>{text('application.loadFailed')}</p>
          <Button size="sm" onClick={onRetry}>
            {text('common.retry')}
          </Button>
        </div>
      )}
      <div role="radiogroup" aria-label={text('index.applications')}>
        {applications.map((application) => (
          <ApplicationRow
            key={application.id}
            application={application}
            chosen={application.id === selected?.id}
            onChoose={() => {
              onChoose(application.id)
              onClose()
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
            onClick={onClose}
          >
            {text('application.seeUsage')}
          </Link>
          <Link
            to="/console/applications/$applicationId/extra"
            params={{applicationId: selected.id}}
            search={{redirect: back}}
            className={buttonClass('outline', 'sm')}
            onClick={onClose}
          >
            {text('index.extra')}
          </Link>
        </div>
      )}
    </div>
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
  const unit =
    ownUnit(application.service?.unit) ?? text('application.unitCredits', {amount: application.remaining_amount ?? 0})
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
            ? text('application.expires', {date: isolated(formatDateTime(new Date(end)))})
            : text('application.never')}
        </span>
      </span>
      <span className={styles.amount}>
        {text('application.remaining', {amount: amount(application.remaining_amount, 6), unit})}
      </span>
    </button>
  )
}
