import type {ReactElement} from 'react'
import type {Application} from '#contract/management.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {MoneyText} from '#ui/money-text.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText} from '#ui/text.tsx'
import styles from './balance-card.module.css'

/** The balance of the general application, with the way to more. */
export function BalanceCard({application, addLink}: {application: Application; addLink: ReactElement}) {
  const text = useText()
  const {remaining_amount: remaining, expired_at: end} = application
  return (
    <section className={styles.card} aria-label={text('console.balance')}>
      <div className={styles.figures}>
        <span>{text('console.balance')}</span>
        <b className={styles.amount}>{remaining == null ? '–' : <MoneyText amount={remaining} />}</b>
        <span>
          {text('application.unitCredits', {amount: remaining ?? 0})} ·{' '}
          {end == null ? text('application.never') : <TimeText value={end} format={formatDateTime} />}
        </span>
      </div>
      <div className={styles.add}>{addLink}</div>
    </section>
  )
}
